// The shell: where one is, whether patra is there, who asks.
import {render} from 'preact';
import {useEffect, useRef, useState} from 'preact/hooks';
import {keepToken, token} from './api/client';
import {useAnswer, useConnection, useNow} from './api/hooks';
import {keepListening, listenAnew} from './api/live';
import {State, Trouble} from './parts/basic';
import {type Caller, CallerContext} from './parts/caller';
import {type Place, usePlace} from './route';
import {duration, moment} from './words';
import {AlertsPage} from './pages/alerts';
import {AuditPage} from './pages/audit';
import {BackfillPage} from './pages/backfill';
import {BatchPage} from './pages/batch';
import {CertificatePage} from './pages/certificate';
import {CursorsPage} from './pages/cursors';
import {ErrorsPage} from './pages/errors';
import {GatePage} from './pages/gate';
import {BatchesPage, PlansPage, RunsPage, SlicesPage, TasksPage} from './pages/lists';
import {OverviewPage} from './pages/overview';
import {PlanPage} from './pages/plan';
import {QuarantinePage} from './pages/quarantine';
import {QueuePage} from './pages/queue';
import {RecordsPage} from './pages/records';
import {RunPage} from './pages/run';
import {SchedulePage} from './pages/schedule';
import {SlicePage} from './pages/slice';
import {SourcesPage} from './pages/sources';
import {TaskPage} from './pages/task';

interface Entry {
  piece: string;
  name: string;
  about: string;
  page: (props: {place: Place}) => preact.JSX.Element | null;
  one?: (props: {place: Place; id: string}) => preact.JSX.Element | null; // with an id behind it
  isPartOf?: string; // the entry that is marked in the menu
}

const GROUPS: [string, Entry[]][] = [
  ['Look', [
    {piece: '', name: 'Overview', about: 'Is everything up to date, what runs, what waits, what is broken', page: OverviewPage},
    {piece: 'queue', name: 'Queue', about: 'How much waits and runs, and how it moves', page: QueuePage},
    {piece: 'plans', name: 'Plans and runs', about: 'What was planned, and what became of it', page: PlansPage, one: PlanPage},
    {piece: 'certificate', name: 'Certificate', about: 'What is proven complete, by what, and what is not', page: CertificatePage},
    {piece: 'cursors', name: 'Cursors', about: 'How far everything is, and how it got there', page: CursorsPage},
    {piece: 'gate', name: 'Rate gate', about: 'What may be sent, what is sent, and why it is less at times', page: GatePage},
    {piece: 'records', name: 'Records', about: 'What is in the store, and which request wrote it', page: RecordsPage},
  ]],
  ['Trouble', [
    {piece: 'alerts', name: 'Alerts', about: 'What people should know of', page: AlertsPage},
    {piece: 'errors', name: 'Errors', about: 'Why batches fail, the most frequent first', page: ErrorsPage},
    {piece: 'quarantine', name: 'Quarantine', about: 'Records that could not be taken in, until somebody decides', page: QuarantinePage},
  ]],
  ['Steer', [
    {piece: 'backfill', name: 'Fetch', about: 'What would it cost, then plan it', page: BackfillPage},
    {piece: 'schedule', name: 'Schedule', about: 'What fires by itself, and what came of it', page: SchedulePage},
    {piece: 'sources', name: 'Sources', about: 'What patra goes by, and where each value came from', page: SourcesPage},
    {piece: 'audit', name: 'Audit', about: 'What people decided, and why', page: AuditPage},
  ]],
];
const INNER: Entry[] = [
  {piece: 'slices', name: 'Slices', about: 'The parts of plans, each walked by one task', page: SlicesPage, one: SlicePage, isPartOf: 'plans'},
  {piece: 'tasks', name: 'Tasks', about: 'The queue, and what was in it', page: TasksPage, one: TaskPage, isPartOf: 'plans'},
  {piece: 'runs', name: 'Runs', about: 'The attempts at tasks', page: RunsPage, one: RunPage, isPartOf: 'plans'},
  {piece: 'batches', name: 'Batches', about: 'Single requests, and what they brought', page: BatchesPage, one: BatchPage, isPartOf: 'plans'},
];
const ALL = [...GROUPS.flatMap(([, entries]) => entries), ...INNER];

const THEMES = ['auto', 'light', 'dark'] as const;

function Menu(props: {active: string; onChoose: () => void}) {
  return (
    <nav aria-label="Pages">
      {GROUPS.map(([title, entries]) => (
        <div key={title}>
          <h2>{title}</h2>
          <ul>
            {entries.map((entry) => (
              <li key={entry.piece}>
                <a href={`#/${entry.piece}`} aria-current={entry.piece === props.active ? 'page' : undefined} onClick={props.onChoose}>{entry.name}</a>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

function Connected() {
  const connection = useConnection();
  const now = useNow(1_000);
  const seconds = Math.max(0, (now - connection.since) / 1_000);
  const isTrying = !connection.isThere && !connection.reason;
  // Whoever listens is told that it changed, not every second.
  return (
    <span class={`connection ${connection.isThere ? 'good' : isTrying ? 'wait' : 'bad'}`}>
      <span role="status">{connection.isThere ? 'live' : isTrying ? 'connecting' : `not connected: ${connection.reason}`}</span>
      {!connection.isThere && !isTrying && <span aria-hidden="true"> since {moment(new Date(connection.since).toISOString()).slice(11)} ({duration(Math.floor(seconds))})</span>}
    </span>
  );
}

function ThemeSwitch() {
  const [theme, setTheme] = useState(() => localStorage.getItem('patra.theme') ?? 'auto');
  useEffect(() => {
    if (theme === 'auto') document.documentElement.removeAttribute('data-theme');
    else document.documentElement.dataset.theme = theme;
    localStorage.setItem('patra.theme', theme);
  }, [theme]);
  return (
    <label class="theme"><span class="unseen">Colours</span>
      <select value={theme} onChange={(event) => setTheme(event.currentTarget.value)}>
        {THEMES.map((one) => <option key={one} value={one}>{one}</option>)}
      </select>
    </label>
  );
}

function TokenForm(props: {onChange: () => void; isNeeded: boolean}) {
  const [text, setText] = useState('');
  const [isHeld, setHeld] = useState(Boolean(token()));
  const keep = (value: string) => {
    keepToken(value);
    setHeld(Boolean(value));
    setText('');
    listenAnew();
    props.onChange();
  };
  const form = (
    <form class="token" onSubmit={(event) => (event.preventDefault(), keep(text.trim()))}>
      <label>Token <span class="quiet">of <code>patra token create NAME --role viewer</code>; kept until this tab closes</span>
        <input type="password" autoComplete="off" value={text} placeholder="patra_…" onInput={(event) => setText(event.currentTarget.value)} />
      </label>
      <button type="submit" class="main" disabled={!text.trim()}>Use it</button>
      {isHeld && <button type="button" onClick={() => keep('')}>Forget it</button>}
    </form>
  );
  return props.isNeeded ? form : <details class="token-box"><summary>Token</summary>{form}</details>;
}

function App() {
  const place = usePlace();
  const caller = useAnswer<Caller>('caller', {}, {everyMs: 120_000});
  const [isMenuOpen, setMenuOpen] = useState(false);
  const [turn, setTurn] = useState(0);
  const heading = useRef<HTMLHeadingElement>(null);
  const isFirst = useRef(true);
  const [piece = '', id] = place.pieces;
  const entry = ALL.find((one) => one.piece === piece);
  const active = entry?.isPartOf ?? piece;
  const One = id ? entry?.one : undefined;
  const Page = entry?.page;
  const path = place.pieces.join('/');
  useEffect(() => {
    document.title = `${entry?.name ?? 'No such page'} · patra`;
    setMenuOpen(false);
    // Whoever listens hears where they are now.
    if (!isFirst.current) (heading.current?.focus(), window.scrollTo(0, 0));
    isFirst.current = false;
  }, [path]);
  const isOut = caller.error?.status === 401 || caller.error?.status === 403;
  return (
    <CallerContext.Provider value={caller.data}>
      <a class="skip" href="#content" onClick={(event) => (event.preventDefault(), heading.current?.focus())}>To the content</a>
      <header class="top">
        <button type="button" class="burger" aria-expanded={isMenuOpen} onClick={() => setMenuOpen(!isMenuOpen)}>Menu</button>
        <a class="brand" href="#/"><img src="assets/icon.svg" alt="" width="22" height="22" />patra</a>
        <Connected />
        <span class="grow" />
        {caller.data && <span class="who">{caller.data.name} <State code={caller.data.role} tone="none" /></span>}
        {!isOut && <TokenForm isNeeded={false} onChange={() => (caller.reload(), setTurn(turn + 1))} />}
        <ThemeSwitch />
      </header>
      <div class={isMenuOpen ? 'frame open' : 'frame'}>
        <Menu active={active} onChoose={() => setMenuOpen(false)} />
        <main id="content">
          <h1 tabIndex={-1} ref={heading}>{entry?.name ?? 'No such page'}</h1>
          {entry && <p class="about">{entry.about}</p>}
          {isOut ? (
            <div class="panel"><Trouble error={caller.error} /><TokenForm isNeeded onChange={() => (caller.reload(), setTurn(turn + 1))} /></div>
          ) : !entry ? (
            <p>There is nothing under this address. <a href="#/">To the overview</a></p>
          ) : One && id ? (
            <One key={`${id} ${turn}`} place={place} id={id} />
          ) : Page ? (
            <Page key={`${piece} ${turn}`} place={place} />
          ) : null}
        </main>
      </div>
    </CallerContext.Provider>
  );
}

void keepListening();
render(<App />, document.getElementById('app')!);
