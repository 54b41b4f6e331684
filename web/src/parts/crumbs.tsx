// The way up: plan, slice, task, run, batch.
import {IdLink, type LedgerWord} from './basic';

interface CrumbsProps {
  at: LedgerWord;
  plan?: string | null;
  slice?: string | null;
  task?: string | null;
  run?: string | null;
  batch?: string | null;
}

const ORDER: LedgerWord[] = ['plan', 'slice', 'task', 'run', 'batch'];

export function Crumbs(props: CrumbsProps) {
  return (
    <nav class="crumbs" aria-label="The way up">
      <ol>
        <li><a href="#/plans">plans</a></li>
        {ORDER.slice(0, ORDER.indexOf(props.at) + 1).map((word) => (
          <li key={word} aria-current={word === props.at ? 'page' : undefined}>{word} <IdLink kind={word} id={props[word]} whole={word === props.at} /></li>
        ))}
      </ol>
    </nav>
  );
}
