// Where one is stands behind the # of the address: "#/runs?source=library", so that one page serves all and links can be kept.
import {useEffect, useState} from 'preact/hooks';

export interface Place {
  pieces: string[]; // ["runs", "42"]
  query: Record<string, string>;
}

export function placeIn(hash: string): Place {
  const [path, query] = hash.replace(/^#\/?/, '').split('?', 2);
  const pieces: string[] = [];
  for (const piece of (path ?? '').split('/').filter(Boolean)) {
    try {
      pieces.push(decodeURIComponent(piece));
    } catch {
      pieces.push(piece);
    }
  }
  return {pieces, query: Object.fromEntries(new URLSearchParams(query ?? ''))};
}

export function linkTo(pieces: (string | number)[], query: Record<string, string | undefined | null> = {}): string {
  const given = Object.entries(query).filter((pair): pair is [string, string] => Boolean(pair[1]));
  const text = new URLSearchParams(given).toString();
  return `#/${pieces.map((piece) => encodeURIComponent(piece)).join('/')}${text ? `?${text}` : ''}`;
}

export function goTo(link: string): void {
  window.location.hash = link;
}

export function usePlace(): Place {
  const [place, setPlace] = useState(() => placeIn(window.location.hash));
  useEffect(() => {
    const follow = () => setPlace(placeIn(window.location.hash));
    window.addEventListener('hashchange', follow);
    return () => window.removeEventListener('hashchange', follow);
  }, []);
  return place;
}

// Filters are part of the address: another value replaces it, so that "back" leaves the page.
export function narrow(place: Place, change: Record<string, string>): void {
  window.history.replaceState(null, '', linkTo(place.pieces, {...place.query, ...change}));
  window.dispatchEvent(new HashChangeEvent('hashchange'));
}
