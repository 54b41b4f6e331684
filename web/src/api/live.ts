// What patra tells by itself (server-sent events). Read by fetch, since EventSource can send no token.
import {address, authorization, problemIn} from './client';

export type LiveEvent = 'queue' | 'run' | 'alerts' | 'status';
type Listener = (name: LiveEvent, data: unknown) => void;

export interface Connection {
  isThere: boolean;
  since: number; // when it became so
  reason: string; // why not; empty where it was not tried yet
}

const PAUSE_FIRST_MS = 1_000;
const PAUSE_MOST_MS = 10_000;
// The server sends a comment every 15 seconds; without one for this long nobody is there.
const SILENCE_MS = 40_000;

let connection: Connection = {isThere: false, since: Date.now(), reason: ''};
let heard = '';
let attempt: AbortController | undefined;
const newest = new Map<LiveEvent, unknown>();
const listeners = new Set<Listener>();
const watchers = new Set<(connection: Connection) => void>();

export function currentConnection(): Connection {
  return connection;
}

// What was told last, for those who come later.
export function newestOf(name: LiveEvent): unknown {
  return newest.get(name);
}

export function onConnection(watcher: (connection: Connection) => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

export function onLive(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function tell(isThere: boolean, reason: string) {
  const since = isThere === connection.isThere ? connection.since : Date.now();
  connection = {isThere, since, reason};
  watchers.forEach((watcher) => watcher(connection));
}

function take(block: string) {
  let name = '';
  const data: string[] = [];
  for (const line of block.split('\n')) {
    if (line.startsWith('id: ')) heard = line.slice(4);
    else if (line.startsWith('event: ')) name = line.slice(7);
    else if (line.startsWith('data: ')) data.push(line.slice(6));
  }
  if (!name || !data.length) return;
  const value: unknown = JSON.parse(data.join('\n'));
  newest.set(name as LiveEvent, value);
  listeners.forEach((listener) => listener(name as LiveEvent, value));
}

async function listen(signal: AbortSignal, onSound: () => void): Promise<string> {
  const headers: Record<string, string> = {Accept: 'text/event-stream', ...authorization()};
  if (heard) headers['Last-Event-ID'] = heard;
  const answer = await fetch(address('events'), {headers, signal, cache: 'no-store', credentials: 'omit'});
  if (!answer.ok || !answer.body) return (await problemIn(answer)).detail;
  tell(true, '');
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const {value, done} = await reader.read();
    if (done) return 'patra has hung up';
    onSound();
    text += value;
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      take(text.slice(0, end));
      text = text.slice(end + 2);
    }
  }
}

// Goes on for as long as the page does.
export async function keepListening(): Promise<void> {
  let pause = PAUSE_FIRST_MS;
  for (;;) {
    attempt = new AbortController();
    const {signal} = attempt;
    let silence = 0;
    const onSound = () => {
      pause = PAUSE_FIRST_MS;
      clearTimeout(silence);
      silence = window.setTimeout(() => attempt?.abort(), SILENCE_MS);
    };
    onSound();
    let reason = 'patra does not answer';
    try {
      reason = await listen(signal, onSound);
    } catch {
      // The reason is known: nobody answers.
    }
    clearTimeout(silence);
    tell(false, reason);
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, pause);
      window.addEventListener('online', () => (clearTimeout(timer), resolve()), {once: true});
    });
    pause = Math.min(pause * 2, PAUSE_MOST_MS);
  }
}

// With another token the stream is another one.
export function listenAnew(): void {
  attempt?.abort();
}
