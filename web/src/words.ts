// Numbers, times and durations as people read them. Times are UTC everywhere, as in the ledger and the log.

const counts = new Intl.NumberFormat('en');

export function count(value: number | null | undefined): string {
  return value === null || value === undefined ? '–' : counts.format(value);
}

export function share(value: number | null | undefined): string {
  if (value === null || value === undefined) return '–';
  return `${(value * 100).toFixed(value > 0 && value < 0.1 ? 1 : 0)} %`;
}

export function rate(value: number | null | undefined): string {
  if (value === null || value === undefined) return '–';
  return `${value.toFixed(value > 0 && value < 10 ? 2 : 0)}/s`;
}

export function bytes(value: number | null | undefined): string {
  if (value === null || value === undefined) return '–';
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  let unit = 0;
  for (; value >= 1_000 && unit < units.length - 1; ++unit) value /= 1_000;
  return `${value.toFixed(unit > 0 && value < 10 ? 1 : 0)} ${units[unit]}`;
}

export function duration(seconds: number | null | undefined): string {
  if (seconds === null || seconds === undefined) return '–';
  if (seconds < 1) return `${Math.round(seconds * 1_000)} ms`;
  const parts: [number, string][] = [[86_400, 'd'], [3_600, 'h'], [60, 'min'], [1, 's']];
  const first = parts.findIndex(([size]) => seconds >= size);
  const [size, unit] = parts[first]!;
  const whole = Math.floor(seconds / size);
  const next = parts[first + 1];
  const rest = next ? Math.floor((seconds - whole * size) / next[0]) : 0;
  return rest && next && whole < 100 ? `${counts.format(whole)} ${unit} ${rest} ${next[1]}` : `${counts.format(whole)} ${unit}`;
}

// "PT1M30S" as the API writes durations in prices; whatever it is otherwise stays as it is.
export function isoDuration(text: string | null): string {
  const found = text && /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?)?$/.exec(text);
  if (!found) return text ?? '–';
  const [, days, hours, minutes, seconds] = found;
  return duration(Number(days ?? 0) * 86_400 + Number(hours ?? 0) * 3_600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0));
}

// "2026-11-19 21:20:31"
export function moment(at: string | null | undefined): string {
  return at ? at.slice(0, 19).replace('T', ' ').replace('Z', '') : '–';
}

// "2026-11-19", with the time of day where it is not midnight.
export function day(at: string | null | undefined): string {
  if (!at) return '–';
  return /T00:00:00(\.0+)?Z/.test(at) ? at.slice(0, 10) : at.slice(0, 16).replace('T', ' ');
}

export function stretch(from: string | null | undefined, to: string | null | undefined): string {
  return from || to ? `${day(from)} … ${day(to)}` : '–';
}

export function ago(at: string | null | undefined, now: number): string {
  if (!at) return '–';
  const seconds = (now - Date.parse(at)) / 1_000;
  if (seconds < -1) return `in ${duration(-seconds)}`;
  if (seconds < 5) return 'now';
  return `${about(seconds)} ago`;
}

// In its largest unit: about how long.
export function about(seconds: number | null | undefined): string {
  if (seconds === null || seconds === undefined) return '–';
  const coarse = seconds > 86_400 ? 86_400 : seconds > 3_600 ? 3_600 : seconds > 60 ? 60 : 1;
  return duration(Math.floor(seconds / coarse) * coarse);
}

export function between(from: string | null, to: string | null): string {
  return from && to ? duration((Date.parse(to) - Date.parse(from)) / 1_000) : '–';
}
