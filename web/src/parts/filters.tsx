// What a list is narrowed by. It stands in the address, so that a link shows the same.
import {useEffect, useState} from 'preact/hooks';
import type {Page} from '../api/client';
import {useAnswer} from '../api/hooks';
import type {Source} from '../api/types';
import {narrow, type Place} from '../route';

export function useSources(): Source[] {
  return useAnswer<Page<Source>>('sources').data?.items.filter((source) => !source.abstract) ?? [];
}

function Choice(props: {place: Place; name: string; label: string; of: readonly string[]; any?: string}) {
  const value = props.place.query[props.name] ?? '';
  const all = value && !props.of.includes(value) ? [...props.of, value] : props.of;
  return (
    <label>{props.label}
      <select value={value} onChange={(event) => narrow(props.place, {[props.name]: event.currentTarget.value})}>
        <option value="">{props.any ?? 'all'}</option>
        {all.map((code) => <option key={code} value={code}>{code}</option>)}
      </select>
    </label>
  );
}

export function TextFilter(props: {place: Place; name: string; label: string; hint?: string}) {
  const given = props.place.query[props.name] ?? '';
  const [text, setText] = useState(given);
  useEffect(() => setText(given), [given]);
  return (
    <form onSubmit={(event) => (event.preventDefault(), narrow(props.place, {[props.name]: text.trim()}))}>
      <label>{props.label}
        <input type="search" value={text} placeholder={props.hint} onInput={(event) => setText(event.currentTarget.value)}
          onBlur={() => text.trim() !== given && narrow(props.place, {[props.name]: text.trim()})} />
      </label>
    </form>
  );
}

interface FiltersProps {
  place: Place;
  states?: readonly string[];
  operation?: boolean;
  children?: preact.ComponentChildren;
}

export function Filters(props: FiltersProps) {
  const sources = useSources();
  const {place} = props;
  const source = sources.find((one) => one.source === place.query.source);
  return (
    <div class="filters" role="search" aria-label="Narrow the list">
      <label>Source
        <select value={place.query.source ?? ''} onChange={(event) => narrow(place, {source: event.currentTarget.value, endpoint: ''})}>
          <option value="">all</option>
          {withValue(sources.map((one) => one.source), place.query.source).map((name) => <option key={name} value={name}>{name}</option>)}
        </select>
      </label>
      {place.query.source && <Choice place={place} name="endpoint" label="Endpoint" of={source?.endpoints ?? []} />}
      {props.operation && <Choice place={place} name="operation" label="Operation" of={['HARVEST', 'BACKFILL', 'UPDATE']} />}
      {props.states && <Choice place={place} name="status" label="State" of={props.states} />}
      {props.children}
    </div>
  );
}

function withValue(all: string[], value: string | undefined): string[] {
  return value && !all.includes(value) ? [...all, value] : all;
}

export {Choice};
