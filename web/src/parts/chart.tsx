// Lines over time. The numbers of a picture also stand beside it as text, for those who do not see it.
import {useEffect, useRef} from 'preact/hooks';
import uPlot from 'uplot';

export interface Line {
  name: string;
  color: string; // a custom property of the stylesheet, such as "--good"
  isStep?: boolean;
  isDashed?: boolean;
  isThin?: boolean;
  points?: boolean; // on the line
  isPoints?: boolean; // marks, with no line between them
}

interface ChartProps {
  label: string; // what it shows, in a sentence
  times: number[]; // seconds
  lines: Line[];
  values: (number | null)[][];
  format?: (value: number) => string;
  height?: number;
}

function colorOf(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

// As exact as the length of the axis asks for, in UTC.
function timeOf(seconds: number, length: number): string {
  const text = new Date(seconds * 1e3).toISOString();
  return length > 2 * 86_400 ? text.slice(0, 10) : text.slice(11, length > 300 ? 16 : 19);
}

export function Chart(props: ChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>();
  const {lines, height = 180} = props;
  const shape = JSON.stringify([lines, height]);
  useEffect(() => {
    const target = box.current;
    if (!target) return;
    const format = props.format ?? ((value: number) => String(value));
    const axis = {stroke: () => colorOf('--quiet'), grid: {stroke: () => colorOf('--line'), width: 1}, ticks: {show: false}, font: '11px system-ui'};
    const draw = () => {
      plot.current?.destroy();
      plot.current = new uPlot({
        width: Math.max(target.clientWidth, 200), height,
        tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1e3), 'Etc/UTC'),
        legend: {live: true}, cursor: {drag: {x: false, y: false}},
        scales: {y: {range: (_, least, most) => [Math.min(least, 0), most > 0 ? most * 1.1 : 1]}},
        axes: [{...axis, space: 90, values: (_, ticks) => ticks.map((tick) => timeOf(tick, (ticks[ticks.length - 1] ?? 0) - (ticks[0] ?? 0)))}, {...axis, size: 64, values: (_, ticks) => ticks.map((tick) => format(tick))}],
        series: [
          {value: '{YYYY}-{MM}-{DD} {HH}:{mm}:{ss}'},
          ...lines.map((line): uPlot.Series => ({
            label: line.name, stroke: () => colorOf(line.color), width: line.isThin ? 1 : 1.5, dash: line.isDashed ? [5, 4] : undefined,
            paths: line.isPoints ? () => null : line.isStep ? uPlot.paths.stepped?.({align: 1}) : undefined,
            points: line.isPoints ? {show: true, size: 7, fill: () => colorOf(line.color)} : {show: line.points ?? false},
            value: (_, value) => (value === null || value === undefined ? '–' : format(value)),
          })),
        ],
      }, [props.times, ...props.values], target);
    };
    draw();
    const sizes = new ResizeObserver(() => plot.current?.setSize({width: Math.max(target.clientWidth, 200), height}));
    sizes.observe(target);
    const theme = new MutationObserver(draw);
    theme.observe(document.documentElement, {attributes: true, attributeFilter: ['data-theme']});
    return () => (sizes.disconnect(), theme.disconnect(), plot.current?.destroy());
  }, [shape]);
  useEffect(() => plot.current?.setData([props.times, ...props.values]), [props.times, props.values]);
  return <div class="chart" ref={box} role="img" aria-label={props.label} />;
}

// A line as small as a word.
export function Sparkline(props: {values: number[]; label: string}) {
  const {values} = props;
  if (values.length < 2) return null;
  const most = Math.max(...values, 1e-9);
  const points = values.map((value, i) => `${((i / (values.length - 1)) * 80).toFixed(1)},${(17 - (value / most) * 15).toFixed(1)}`);
  return (
    <svg class="spark" viewBox="0 0 80 18" role="img" aria-label={props.label} preserveAspectRatio="none">
      <polyline points={points.join(' ')} />
    </svg>
  );
}
