// The small things that all pages are made of.
import type {ComponentChildren} from 'preact';
import {useState} from 'preact/hooks';
import {type ApiError} from '../api/client';
import {useNow} from '../api/hooks';
import {linkTo} from '../route';
import {ago, moment} from '../words';

export function Panel(props: {title: string; aside?: ComponentChildren; children: ComponentChildren; id?: string}) {
  return (
    <section class="panel" aria-label={props.title} id={props.id}>
      <header><h2>{props.title}</h2>{props.aside && <div class="aside">{props.aside}</div>}</header>
      {props.children}
    </section>
  );
}

export type Tone = 'good' | 'busy' | 'wait' | 'warn' | 'bad' | 'none';

const TONES: Record<string, Tone> = {
  SUCCEEDED: 'good', SUCCESS: 'good', COMPLETED: 'good', DONE: 'good', complete: 'good', enabled: 'good', APPROVED: 'good',
  FORWARD: 'good', AGREES: 'good',
  RUNNING: 'busy', EXECUTING: 'busy', SLICING: 'busy', READY: 'wait', DISPATCHED: 'busy', RETRIED: 'busy',
  QUEUED: 'wait', PENDING: 'wait', PLANNED: 'wait', parked: 'wait', GIVEN_BACK: 'wait', SKIPPED: 'none', CANCELLED: 'none', disabled: 'none', DRAFT: 'wait', resolved: 'none',
  silenced: 'none', REJECTED: 'none',
  PARTIAL: 'warn', WARN: 'warn', WARNING: 'warn', L1: 'warn', L3: 'warn', L2: 'bad', OPEN: 'warn', PAUSE: 'warn', slower: 'warn', behind: 'warn',
  FAILED: 'bad', CRITICAL: 'bad', ERROR: 'bad', L4: 'bad', FUSE: 'bad', firing: 'bad', gaps: 'bad', stopped: 'bad', BACKWARD: 'warn', refused: 'bad',
};

export function toneOf(code: string): Tone {
  return TONES[code] ?? 'none';
}

// A word in its colour: the colour alone says nothing.
export function State(props: {code: string; tone?: Tone}) {
  const word = props.code === props.code.toUpperCase() && !/^L\d$/.test(props.code)
    ? props.code.toLowerCase().replaceAll('_', ' ') : props.code;
  return <span class={`state ${props.tone ?? toneOf(props.code)}`}>{word}</span>;
}

export function When(props: {at: string | null | undefined}) {
  const now = useNow();
  if (!props.at) return <>–</>;
  return <time dateTime={props.at} title={`${moment(props.at)} UTC`}>{ago(props.at, now)}</time>;
}

export function Moment(props: {at: string | null | undefined}) {
  return props.at ? <time dateTime={props.at} title={props.at} class="num">{moment(props.at)}</time> : <>–</>;
}

export function Facts(props: {of: [string, ComponentChildren][]}) {
  return (
    <dl class="facts">
      {props.of.map(([name, value]) => <div key={name}><dt>{name}</dt><dd>{value ?? '–'}</dd></div>)}
    </dl>
  );
}

// Values of any shape, as text: nothing that a provider sent is ever markup here.
export function Json(props: {value: unknown; label: string}) {
  if (props.value === null || props.value === undefined) return <p class="quiet">nothing is kept</p>;
  const text = typeof props.value === 'string' ? props.value : JSON.stringify(props.value, null, 2);
  return <pre class="json" tabIndex={0} role="region" aria-label={props.label}>{text}</pre>;
}

export function Fold(props: {title: string; children: ComponentChildren}) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen((event.target as HTMLDetailsElement).open)}>
      <summary>{props.title}</summary>
      {isOpen && props.children}
    </details>
  );
}

export function Trouble(props: {error: ApiError | undefined; what?: string}) {
  if (!props.error) return null;
  return (
    <div class="trouble" role="alert">
      <strong>{props.what ? `${props.what}: ` : ''}{props.error.detail}</strong>
      {props.error.hint && <p>{props.error.hint}</p>}
    </div>
  );
}

export function Empty(props: {children: ComponentChildren}) {
  return <div class="empty">{props.children}</div>;
}

export function Loading() {
  return <p class="loading" role="status">asking…</p>;
}

const PAGES = {plan: 'plans', slice: 'slices', task: 'tasks', run: 'runs', batch: 'batches'} as const;
export type LedgerWord = keyof typeof PAGES;

// Ids are long; the last digits tell them apart, all of them are in the title and in what is copied.
export function IdLink(props: {kind: LedgerWord; id: string | null | undefined; whole?: boolean}) {
  if (!props.id) return <>–</>;
  return (
    <a class="id" href={linkTo([PAGES[props.kind], props.id])} title={`${props.kind} ${props.id}`}>
      {props.whole ? props.id : `…${props.id.slice(-8)}`}
    </a>
  );
}

export function Scope(props: {source: string; endpoint?: string | null}) {
  return (
    <a class="scope" href={linkTo(['sources', props.source], {endpoint: props.endpoint ?? undefined})}>
      {props.source}{props.endpoint ? <span class="quiet">/{props.endpoint}</span> : ''}
    </a>
  );
}

export function Number(props: {name: string; value: ComponentChildren; tone?: Tone; href?: string; note?: ComponentChildren}) {
  const inner = <><span class="label">{props.name}</span><span class={`value ${props.tone ?? ''}`}>{props.value}</span>
    {props.note && <span class="note">{props.note}</span>}</>;
  return props.href ? <a class="number" href={props.href}>{inner}</a> : <div class="number">{inner}</div>;
}
