// Whatever changes something: says what will happen, asks for a reason, does it once, and shows what the audit has afterwards.
import type {ComponentChildren} from 'preact';
import {useEffect, useId, useRef, useState} from 'preact/hooks';
import {ApiError, type Page, get, post} from '../api/client';
import type {AuditEntry} from '../api/types';
import {moment} from '../words';
import {Trouble} from './basic';
import {useMay} from './caller';

export interface Deed<Answer> {
  title: string;
  what: ComponentChildren; // what will happen
  button: string;
  path: string;
  body?: Record<string, unknown>;
  fields?: ComponentChildren; // more to fill in, of the caller's own state
  isReady?: boolean; // false: they are not filled in yet
  role?: 'operator' | 'admin';
  outcome?: (answer: Answer) => ComponentChildren;
  onDone?: (answer: Answer) => void; // once the outcome was read
}

export function Action<Answer = unknown>(props: Deed<Answer> & {label: string; tone?: 'main' | 'danger'; disabled?: boolean}) {
  const [isOpen, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  if (!useMay(props.role)) return null;
  return (
    <>
      <button type="button" ref={opener} class={props.tone} disabled={props.disabled} onClick={() => setOpen(true)}>{props.label}</button>
      {isOpen && <ActionDialog {...props} onClose={() => (setOpen(false), opener.current?.focus())} />}
    </>
  );
}

function ActionDialog<Answer>(props: Deed<Answer> & {onClose: () => void}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const title = useId();
  const [reason, setReason] = useState('');
  const [once] = useState(() => crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError>();
  const [done, setDone] = useState<{answer: Answer; entry: AuditEntry | undefined}>();
  useEffect(() => dialog.current?.showModal(), []);

  const close = () => {
    props.onClose();
    if (done) props.onDone?.(done.answer);
  };
  const act = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    setError(undefined);
    try {
      // A key belongs to one request: another reason makes it another one.
      const answer = await post<Answer>(props.path, {...props.body, reason}, `${once}-${mark(reason + JSON.stringify(props.body))}`);
      setDone({answer, entry: await entryOf(reason)});
    } catch (problem) {
      setError(problem instanceof ApiError ? problem : new ApiError(0, String(problem), ''));
    }
    setBusy(false);
  };

  return (
    <dialog ref={dialog} aria-labelledby={title} onClose={close}>
      <form onSubmit={act}>
        <h2 id={title}>{props.title}</h2>
        {done ? (
          <div role="status">
            <p><strong>Done.</strong> {props.outcome?.(done.answer)}</p>
            <p class="quiet">
              {done.entry
                ? `The audit has it: ${done.entry.actor} · ${done.entry.action} · ${done.entry.objectType} ${done.entry.object} · ${moment(done.entry.at)} · “${done.entry.reason}”`
                : 'The audit keeps no entry of its own for this.'}
            </p>
            <footer><button type="button" class="main" autoFocus onClick={() => dialog.current?.close()}>Close</button></footer>
          </div>
        ) : (
          <>
            <div class="what">{props.what}</div>
            {props.fields}
            <label>Reason <span class="quiet">the audit keeps it with your name</span>
              <input required autoFocus maxLength={300} value={reason} onInput={(event) => setReason(event.currentTarget.value)} />
            </label>
            <Trouble error={error} />
            <footer>
              <button type="button" onClick={() => dialog.current?.close()}>Cancel</button>
              <button type="submit" class="main" disabled={isBusy || !reason.trim() || props.isReady === false}>{isBusy ? 'Working…' : props.button}</button>
            </footer>
          </>
        )}
      </form>
    </dialog>
  );
}

async function entryOf(reason: string): Promise<AuditEntry | undefined> {
  try {
    const newest = await get<Page<AuditEntry>>('audit', {limit: 20});
    return newest.items.find((entry) => entry.reason === reason);
  } catch {
    return undefined;
  }
}

// Short, and the same for the same text.
function mark(text: string): string {
  let sum = 0;
  for (let i = 0; i < text.length; ++i) sum = (Math.imul(sum, 31) + text.charCodeAt(i)) | 0;
  return (sum >>> 0).toString(16);
}
