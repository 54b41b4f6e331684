// Asks patra's API. Every answer that is not what was asked for becomes an ApiError with the sentences that the API gives.
import type {Problem} from './types';

const TOKEN_KEY = 'patra.token';

// What may stand in an address: undefined and '' are left out, since the API refuses empty parameters.
export type Params = Record<string, string | number | boolean | undefined | null>;

export interface Page<Row> {
  items: Row[];
  next: string | null;
}

export class ApiError extends Error {
  constructor(
    readonly status: number, // 0: nobody answered
    readonly detail: string,
    readonly hint: string,
  ) {
    super(detail);
  }
}

// The token lives as long as the tab does.
export function token(): string {
  return sessionStorage.getItem(TOKEN_KEY) ?? '';
}

export function keepToken(text: string): void {
  if (text) sessionStorage.setItem(TOKEN_KEY, text);
  else sessionStorage.removeItem(TOKEN_KEY);
}

export function authorization(): Record<string, string> {
  const held = token();
  return held ? {Authorization: `Bearer ${held}`} : {};
}

export function address(path: string, params: Params = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (value !== undefined && value !== null && value !== '') query.set(name, String(value));
  }
  const text = query.toString();
  return `/api/v1/${path}${text ? `?${text}` : ''}`;
}

export async function problemIn(answer: Response): Promise<ApiError> {
  let problem: Partial<Problem> = {};
  try {
    problem = await answer.json();
  } catch {
    // Something between us and patra answered in its own words.
  }
  const detail = problem.detail || `the answer is ${answer.status}, without a word why`;
  return new ApiError(answer.status, detail, problem.hint ?? '');
}

async function ask(url: string, init: RequestInit): Promise<Response> {
  let answer: Response;
  try {
    answer = await fetch(url, {...init, cache: 'no-store', credentials: 'omit'});
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new ApiError(0, 'patra does not answer', 'is `patra serve` running, and is the network there?');
  }
  if (!answer.ok) throw await problemIn(answer);
  return answer;
}

export async function get<Answer>(path: string, params: Params = {}, signal?: AbortSignal): Promise<Answer> {
  const answer = await ask(address(path, params), {headers: {Accept: 'application/json', ...authorization()}, signal});
  return answer.json();
}

export async function getText(path: string, signal?: AbortSignal): Promise<string> {
  return (await ask(address(path), {headers: authorization(), signal})).text();
}

// `once` makes repeating it harmless: the same change is done once, whatever becomes of the connection.
export async function post<Answer>(path: string, body: Record<string, unknown>, once?: string): Promise<Answer> {
  const headers: Record<string, string> = {'Content-Type': 'application/json', Accept: 'application/json', ...authorization()};
  if (once) headers['Idempotency-Key'] = once;
  const answer = await ask(address(path), {method: 'POST', headers, body: JSON.stringify(body)});
  return answer.json();
}
