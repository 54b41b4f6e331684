// How pages ask: one answer, or a list page by page. Both ask again when something happened that they depend on.
import {useCallback, useEffect, useRef, useState} from 'preact/hooks';
import {type ApiError, type Page, type Params, get} from './client';
import {type Connection, type LiveEvent, currentConnection, newestOf, onConnection, onLive} from './live';

export interface Answer<Data> {
  data: Data | undefined;
  error: ApiError | undefined;
  isLoading: boolean;
  reload: () => void;
}

interface Watching {
  on?: LiveEvent[]; // ask again when one of these is told
  everyMs?: number; // and at least that often
}

// Whatever happens, nobody is asked more often.
const PAUSE_MS = 2_000;

function useRepeat({on = [], everyMs}: Watching, again: () => void) {
  const names = on.join();
  useEffect(() => {
    let timer = 0;
    let last = Date.now();
    const soon = () => {
      if (timer || document.hidden) return;
      timer = window.setTimeout(() => {
        timer = 0;
        last = Date.now();
        again();
      }, Math.max(0, last + PAUSE_MS - Date.now()));
    };
    const wanted = names.split(',');
    const leave = onLive((name) => wanted.includes(name) && soon());
    const interval = everyMs ? window.setInterval(soon, everyMs) : 0;
    let wasThere = currentConnection().isThere;
    const unwatch = onConnection((connection) => {
      // What happened meanwhile was not heard.
      if (connection.isThere && !wasThere) soon();
      wasThere = connection.isThere;
    });
    document.addEventListener('visibilitychange', soon);
    return () => {
      leave();
      unwatch();
      clearTimeout(timer);
      clearInterval(interval);
      document.removeEventListener('visibilitychange', soon);
    };
  }, [names, everyMs, again]);
}

// `path` is null while it is not known what to ask for.
export function useAnswer<Data>(path: string | null, params: Params = {}, watching: Watching = {}): Answer<Data> {
  const key = `${path} ${JSON.stringify(params)}`;
  const [state, setState] = useState<{key: string; data?: Data; error?: ApiError; isLoading: boolean}>({key, isLoading: true});
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    if (path === null) return;
    const abort = new AbortController();
    setState((before) => (before.key === key ? {...before, isLoading: true} : {key, isLoading: true}));
    get<Data>(path, params, abort.signal).then(
      (data) => setState({key, data, isLoading: false}),
      (error) => abort.signal.aborted || setState((before) => ({...before, key, error, isLoading: false})),
    );
    return () => abort.abort();
  }, [key, turn]);
  const reload = useCallback(() => setTurn((before) => before + 1), []);
  useRepeat(watching, reload);
  const isOurs = state.key === key;
  return {
    data: isOurs ? state.data : undefined,
    error: isOurs ? state.error : undefined,
    isLoading: path !== null && (!isOurs || state.isLoading),
    reload,
  };
}

export interface List<Row> {
  rows: Row[];
  error: ApiError | undefined;
  isLoading: boolean;
  isThere: boolean; // a first answer came
  more: (() => void) | undefined; // the next page
  reload: () => void;
}

// Pages that were asked for stay; while there are several, only a person begins anew.
export function useList<Row>(path: string | null, params: Params = {}, watching: Watching = {}): List<Row> {
  const key = `${path} ${JSON.stringify(params)}`;
  const empty = {key, rows: [] as Row[], next: null as string | null, pages: 0, isLoading: true};
  const [state, setState] = useState<typeof empty & {error?: ApiError}>(empty);
  const [asked, setAsked] = useState({turn: 0, after: ''});
  const pages = useRef(0);
  pages.current = state.pages;
  const known = useRef(key);
  useEffect(() => {
    if (path === null) return;
    const after = known.current === key ? asked.after : '';
    known.current = key;
    const abort = new AbortController();
    setState((before) => (before.key === key ? {...before, isLoading: true} : empty));
    get<Page<Row>>(path, {...params, after}, abort.signal).then(
      (page) =>
        setState((before) => ({
          key,
          rows: after ? [...before.rows, ...page.items] : page.items,
          next: page.next,
          pages: after ? before.pages + 1 : 1,
          isLoading: false,
        })),
      (error) => abort.signal.aborted || setState((before) => ({...before, key, error, isLoading: false})),
    );
    return () => abort.abort();
  }, [key, asked]);
  const reload = useCallback(() => setAsked((before) => ({turn: before.turn + 1, after: ''})), []);
  const reloadIfOne = useCallback(() => pages.current <= 1 && reload(), []);
  useRepeat(watching, reloadIfOne);
  const isOurs = state.key === key;
  const {next} = state;
  return {
    rows: isOurs ? state.rows : [],
    error: isOurs ? state.error : undefined,
    isLoading: path !== null && (!isOurs || state.isLoading),
    isThere: isOurs && state.pages > 0,
    more: isOurs && next ? () => setAsked((before) => ({turn: before.turn + 1, after: next})) : undefined,
    reload,
  };
}

// The newest of what is told by itself; undefined until it was told.
export function useLive<Data>(wanted: LiveEvent): Data | undefined {
  const [data, setData] = useState(() => newestOf(wanted) as Data | undefined);
  useEffect(() => {
    setData(newestOf(wanted) as Data | undefined);
    return onLive((name, value) => name === wanted && setData(value as Data));
  }, [wanted]);
  return data;
}

export function useConnection(): Connection {
  const [connection, setConnection] = useState(currentConnection);
  useEffect(() => {
    setConnection(currentConnection());
    return onConnection(setConnection);
  }, []);
  return connection;
}

// Moments that are told as "3 min ago" grow old.
export function useNow(everyMs = 10_000): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}
