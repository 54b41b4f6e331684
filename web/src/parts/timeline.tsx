// What happened, in the order of time: how long nothing did stands between, and what went wrong stands out.
import {useAnswer} from '../api/hooks';
import type {Page} from '../api/client';
import type {TimelineEvent} from '../api/types';
import {Empty, Loading, Moment, Panel, type Tone, Trouble} from './basic';
import {duration} from '../words';

const SILENCE_SECONDS = 2;

function toneOf(event: TimelineEvent): Tone {
  if (/FAILED|refused|given up|CRITICAL|fuse/i.test(event.what)) return 'bad';
  if (/PARTIAL|retr|wait|parked|slow|heal|SKIPPED|released/i.test(event.what)) return 'warn';
  if (/SUCCEEDED|COMPLETED|moved/i.test(event.what)) return 'good';
  return 'none';
}

export function Timeline(props: {events: TimelineEvent[]}) {
  return (
    <ol class="timeline" tabIndex={0} aria-label="what happened, in the order of time">
      {props.events.map((event, i) => {
        const before = props.events[i - 1];
        const silence = before ? (Date.parse(event.at) - Date.parse(before.at)) / 1_000 : 0;
        return (
          <li key={i} class={toneOf(event)}>
            {silence >= SILENCE_SECONDS && <span class="silence">{duration(silence)} later</span>}
            <Moment at={event.at} /> <strong>{event.what}</strong> <span>{event.detail}</span>
          </li>
        );
      })}
    </ol>
  );
}

export function TimelinePanel(props: {kind: 'plans' | 'slices' | 'tasks' | 'runs' | 'batches' | 'cursors'; id: string}) {
  const {data, error} = useAnswer<Page<TimelineEvent>>(`${props.kind}/${props.id}/timeline`, {limit: 200}, {everyMs: 20_000});
  return (
    <Panel title="What happened">
      <Trouble error={error} />
      {!data && !error && <Loading />}
      {data && (data.items.length ? <Timeline events={data.items} /> : <Empty>Nothing happened yet.</Empty>)}
      {data && data.items.length >= 200 && <p class="quiet">The first 200 are shown.</p>}
    </Panel>
  );
}
