// Who asks, and what they may. Whoever may not do something sees no button for it.
import {createContext} from 'preact';
import {useContext} from 'preact/hooks';

export interface Caller {
  name: string;
  role: string;
}

const ROLES = ['viewer', 'operator', 'admin'];

export const CallerContext = createContext<Caller | undefined>(undefined);

export function useMay(role: 'operator' | 'admin' = 'operator'): boolean {
  const caller = useContext(CallerContext);
  return ROLES.indexOf(caller?.role ?? '') >= ROLES.indexOf(role);
}
