// Pauses, and fuses that have blown: of an endpoint, or of a source as a whole.
import type {Hold} from '../api/types';

const ALL = '*';

export function isOfWholeSource(hold: Hold): boolean {
  return hold.endpoint === ALL;
}

export function concerns(hold: Hold, source: string, endpoint: string): boolean {
  return hold.source === source && (isOfWholeSource(hold) || hold.endpoint === endpoint);
}

export function targetOf(hold: Hold): string {
  return isOfWholeSource(hold) ? hold.source : `${hold.source}/${hold.endpoint}`;
}
