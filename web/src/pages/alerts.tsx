// Trouble that people should know of.
import {useState} from 'preact/hooks';
import {useAnswer} from '../api/hooks';
import type {Alert} from '../api/types';
import type {Page} from '../api/client';
import {Action} from '../parts/action';
import {Empty, Fold, Json, Loading, Panel, Scope, State, Trouble, When} from '../parts/basic';
import {type Place, narrow} from '../route';
import {count} from '../words';

export function AlertsPage({place}: {place: Place}) {
  const isAll = place.query.all === 'true';
  const {data, error, reload} = useAnswer<Page<Alert>>('alerts', {all: isAll || undefined, limit: 200}, {on: ['alerts'], everyMs: 30_000});
  return (
    <>
      <div class="filters">
        <label class="check"><input type="checkbox" checked={isAll} onChange={(event) => narrow(place, {all: event.currentTarget.checked ? 'true' : ''})} />
          also those that are over or silenced</label>
      </div>
      <Trouble error={error} />
      {!data && !error && <Loading />}
      {data?.items.length === 0 && <Empty>No alert fires. What is slow or partial without being an alert stands on the <a href="#/">overview</a>.</Empty>}
      {data?.items.map((alert) => (
        <Panel key={alert.key} title={alert.key} aside={<><State code={alert.severity} /> <State code={alert.state} /></>}>
          <p>{alert.message}</p>
          <p class="quiet">
            {alert.source && <><Scope source={alert.source} endpoint={alert.endpoint} /> · </>}
            seen {count(alert.timesSeen)} times, first <When at={alert.firstSeenAt} />, last <When at={alert.lastSeenAt} />
            {alert.resolvedAt && <>, over since <When at={alert.resolvedAt} /></>}
          </p>
          <Fold title="Details"><Json value={alert.details} label={`details of ${alert.key}`} /></Fold>
          {!alert.resolvedAt && (
            <p class="buttons">
              <Silence alert={alert} onDone={reload} />
              <Action label="It is over" title={`Resolve ${alert.key}`} button="Resolve" path="alerts/resolve" body={{key: alert.key}} onDone={reload}
                what={<p>The alert ends. Should the trouble come again, it fires anew.</p>} />
            </p>
          )}
        </Panel>
      ))}
    </>
  );
}

function Silence(props: {alert: Alert; onDone: () => void}) {
  const [length, setLength] = useState('4h');
  return (
    <Action<{until: string}> label="Silence" title={`Silence ${props.alert.key}`} button="Silence" path="alerts/silence"
      body={{pattern: props.alert.key, for: length}} onDone={props.onDone} outcome={(answer) => <>It is silent until {answer.until}.</>}
      what={<p>The trouble goes on, and nobody is told of it for that long.</p>}
      fields={
        <label>For
          <select value={length} onChange={(event) => setLength(event.currentTarget.value)}>
            {['1h', '4h', '1d', '7d'].map((one) => <option key={one}>{one}</option>)}
          </select>
        </label>
      } />
  );
}
