// Written by tools/types.mjs from schema/openapi.json.

export interface Adjustment {
  endpoint: string;
  kind: string;
  reason: string;
  source: string;
  until: string;
  value: string;
}

export interface Alert {
  details: unknown;
  endpoint: string;
  firstSeenAt: string;
  key: string;
  lastSeenAt: string;
  message: string;
  resolvedAt: string | null;
  severity: string;
  source: string;
  state: string;
  timesSeen: number;
}

export interface AlertGlance {
  key: string;
  message: string;
}

export interface AnswerCount {
  batches: number;
  httpStatus: number | null;
  status: string;
}

export interface AuditEntry {
  action: string;
  actor: string;
  at: string;
  details: unknown;
  id: string;
  object: string;
  objectType: string;
  reason: string;
  way: string;
}

export interface Batch {
  after: unknown;
  beforeToken: string | null;
  committedAt: string | null;
  createdAt: string;
  endpoint: string;
  error: string | null;
  errorLevel: string | null;
  id: string;
  number: number;
  operation: string;
  page: number | null;
  pageSize: number | null;
  plan: string | null;
  rawBytes: number | null;
  records: number;
  request: unknown;
  response: unknown;
  run: string | null;
  slice: string | null;
  source: string;
  stats: unknown;
  status: string;
  task: string | null;
  timeFrom: string | null;
  timeTo: string | null;
}

export interface Certificate {
  askedOtherwise: Stretch[];
  askedOtherwiseBy: string[];
  complete: boolean;
  days: DayColumns | null;
  endpoint: string;
  gaps: Gap[];
  gapsInAll: number;
  imbalances: Imbalance[];
  issuedAt: string;
  proofsInAll: number;
  proven: Proven[];
  quarantineOpen: number;
  queryHash: string;
  range: Stretch;
  source: string;
  sums: Sums;
}

export interface Change {
  batch: string | null;
  change: string;
  committedAt: string;
  endpoint: string;
  id: string;
  mergedInto: string | null;
  place: string;
  source: string;
}

export interface ChangePage {
  items: Change[];
  next: string | null;
  place: string;
}

export interface CompiledOrigin {
  from: string;
  is: string;
  path: string;
  where: string;
}

export interface CompiledSource {
  endpoint: string;
  exprProtoHash: string;
  findings: Finding[];
  origins: CompiledOrigin[];
  snapshot: unknown;
  source: string;
  specFingerprint: string;
}

export interface Cursor {
  batch: string | null;
  createdAt: string;
  endpoint: string;
  id: string;
  key: string;
  namespaceKey: string;
  namespaceScope: string;
  observedMax: string | null;
  operation: string;
  plan: string | null;
  run: string | null;
  slice: string | null;
  source: string;
  task: string | null;
  type: string;
  updatedAt: string;
  value: string;
  version: number;
}

export interface CursorDetails {
  batch: string | null;
  createdAt: string;
  decisions: Decision[];
  endpoint: string;
  id: string;
  key: string;
  namespaceKey: string;
  namespaceScope: string;
  observedMax: string | null;
  operation: string;
  plan: string | null;
  run: string | null;
  slice: string | null;
  source: string;
  steps: CursorStep[];
  task: string | null;
  type: string;
  updatedAt: string;
  value: string;
  version: number;
}

export interface CursorStep {
  after: string;
  at: string;
  before: string | null;
  direction: string;
  endpoint: string;
  id: string;
  key: string;
  namespaceKey: string;
  operation: string;
  plan: string | null;
  refused: string | null;
  remarks: unknown;
  run: string | null;
  slice: string | null;
  source: string;
  task: string | null;
  windowFrom: string | null;
  windowTo: string | null;
}

export interface DayColumns {
  proven: number[];
  records: number[];
  slices: number[];
  states: string[];
}

export interface DayTotals {
  bytes: number;
  filtered: number;
  inserted: number;
  quarantined: number;
  received: number;
  requests: number;
  updated: number;
}

export interface Decision {
  action: string;
  actor: string;
  at: string;
  details: unknown;
  id: string;
  reason: string;
  way: string;
}

export interface DictionaryCode {
  aliases: string[];
  code: string;
  enabled: boolean;
  type: string;
}

export interface EndpointSeries {
  batchesFailed: number[];
  batchesSucceeded: number[];
  claimsPerSecond: number[];
  endpoint: string;
  failureShare: (number | null)[];
  meanLatencyMs: (number | null)[];
  records: number[];
  requestsPerSecond: number[];
  retries: number[];
  source: string;
  throttledShare: (number | null)[];
}

export interface EndpointStatus {
  endpoint: string;
  freshness: Freshness | null;
  lagSeconds: number | null;
  lastDay: DayTotals;
  lastRun: Run | null;
  observedLagSeconds: number | null;
  observedMax: string | null;
  parked: Waiting[];
  quarantineOpen: number;
  queued: number;
  rate: RateInUse | null;
  running: number;
  skippedFrom: string | null;
  skippedTo: string | null;
  slicesFailed: number;
  slicesPartial: number;
  source: string;
  watermark: string | null;
}

export interface ErrorKind {
  batches: number;
  endpoint: string;
  error: string;
  firstAt: string;
  lastAt: string;
  level: string;
  newestBatch: string;
  operation: string;
  source: string;
}

export interface Execution {
  claimedAt: string;
  claimedBy: string;
  execution: string;
  finishedAt: string | null;
  firedAt: string;
  inserted: number;
  job: string;
  plan: string | null;
  plannedAt: string | null;
  quarantined: number;
  reason: string | null;
  received: number;
  requests: number;
  retriedPlans: unknown;
  startAt: string;
  status: string;
  trigger: string | null;
  type: string;
  unchanged: number;
  updated: number;
}

export interface ExportedDefinition {
  name: string;
  text: string;
}

export interface Finding {
  column: number;
  file: string;
  fix: string;
  line: number;
  message: string;
  path: string;
  severity: string;
}

export interface Freshness {
  oldestLook: string | null;
  overdue: number;
  withinSeconds: number;
}

export interface Fuse {
  endpoint: string;
  reason: string;
  source: string;
}

export interface Gap {
  kind: string;
  plan: string | null;
  reason: string;
  repair: string;
  slice: string | null;
  stretch: Stretch;
  task: string | null;
}

export interface GateHistory {
  at: string[];
  from: string;
  isCut: boolean;
  items: GateSeries[];
  stepSeconds: number;
  to: string;
}

export interface GateKey {
  blockedUntil: string | null;
  coolDowns: number;
  cuts: number;
  failures: number;
  inFlight: number;
  jitterUs: number | null;
  key: string;
  lastUsedAt: string | null;
  lostSlots: number;
  openings: number;
  permits: number;
  quotas: Quota[];
  reason: string;
  rejects: number;
  sharePpm: number;
  throttled: number;
  waits: number;
}

export interface GateSeries {
  allowedPerSecond: (number | null)[];
  coolDowns: number[];
  cuts: number[];
  failures: number[];
  key: string;
  limitPerSecond: (number | null)[];
  openings: number[];
  requests: number[];
  requestsPerSecond: number[];
  stoppedUntil: (string | null)[];
  throttled: number[];
}

export interface GivenUpSlice {
  reason: string;
  slice: string;
  task: string;
  tries: number;
  window: string;
}

export interface HealEntry {
  at: string;
  did: unknown;
  endpoint: string;
  operation: string;
  result: string;
  saw: unknown;
  source: string;
}

export interface Hold {
  by: string;
  endpoint: string;
  kind: string;
  reason: string;
  role: string;
  since: string;
  source: string;
  until: string | null;
}

export interface Imbalance {
  plan: string | null;
  reason: string;
  slice: string | null;
  stretch: Stretch;
}

export interface Item {
  batch: string | null;
  contentHash: string;
  deletedAt: string | null;
  endpoint: string;
  exprHash: string;
  fetchedAt: string;
  fields: unknown;
  firstSeenAt: string;
  id: string;
  mappingGeneration: number;
  mergedInto: string | null;
  providerVersion: number;
  refreshedAt: string;
  source: string;
  updatedAt: string;
}

export interface ItemTrouble {
  batch: string | null;
  createdAt: string;
  id: string;
  path: string;
  reason: string;
  rule: string;
  status: string;
}

export interface ItemWhy {
  batch: Batch | null;
  firstBatch: string | null;
  item: Item;
  pages: string[];
  plan: Plan | null;
  quarantined: ItemTrouble[];
  run: Run | null;
  slice: Slice | null;
  task: Task | null;
  trigger: Trigger | null;
}

export interface Job {
  arguments: unknown;
  cron: string;
  disabledReason: string | null;
  enabled: boolean;
  endpoint: string | null;
  jitter: string | null;
  job: string;
  last: unknown;
  lastFiringAt: string | null;
  misfire: string;
  nextFiringAt: string | null;
  operation: string;
  origin: string;
  query: string | null;
  source: string;
  timezone: string;
}

export interface NextStep {
  arguments: string[];
  step: string;
}

export interface Occurrence {
  at: string;
  local: string;
}

export interface Place {
  column: number;
  file: string;
  line: number;
  pointer: string;
}

export interface Plan {
  config: unknown;
  configHash: string;
  correlation: string;
  createdAt: string;
  endpoint: string;
  fingerprint: string;
  id: string;
  operation: string;
  priority: number;
  queryHash: string;
  remarks: unknown;
  slicedTo: string | null;
  source: string;
  status: string;
  strategy: string;
  trigger: string | null;
  updatedAt: string;
  windowFrom: string | null;
  windowTo: string | null;
}

export interface PlanDetails {
  config: unknown;
  configHash: string;
  correlation: string;
  createdAt: string;
  endpoint: string;
  fingerprint: string;
  id: string;
  operation: string;
  priority: number;
  queryHash: string;
  remarks: unknown;
  slicedTo: string | null;
  slices: Record<string, unknown>;
  source: string;
  status: string;
  strategy: string;
  trigger: string | null;
  updatedAt: string;
  windowFrom: string | null;
  windowTo: string | null;
}

export interface PlanReport {
  appliedFields: number;
  continued: boolean;
  endpoint: string;
  endpointBy: string;
  firstSlices?: Stretch[];
  givenUp: number;
  givenUpSlices: GivenUpSlice[];
  hint: string;
  kind: string;
  notes: string[];
  operation: string;
  partial: boolean;
  plan: string | null;
  price?: Price;
  reason: string;
  slices: number;
  source: string;
  stopsAfter?: number;
  triedAgain: number;
  warnings: string[];
  watermark?: string;
  window?: Stretch;
}

export interface Preview {
  endpoint: string;
  pages: PreviewPage[];
  source: string;
  warnings: string[];
  window: string;
}

export interface PreviewHeader {
  name: string;
  value: string;
}

export interface PreviewPage {
  announced: number | null;
  answer: string;
  badRecords: number;
  body: string;
  firstBad: string[];
  firstIds: string[];
  firstRecords: PreviewRecord[];
  headers: PreviewHeader[];
  ids: number;
  later: boolean;
  method: string;
  next: string;
  outline: string[];
  records: number;
  url: string;
  verdict: string;
  what: string;
}

export interface PreviewRecord {
  deleted: boolean;
  fields: unknown;
  id: string;
  raw: string;
  rawBytes: number;
  updatedAt: string;
}

export interface Price {
  basis: string;
  bytes: number | null;
  expectedRequests: number;
  quotaPart: number | null;
  ratePerSecond: number | null;
  records: number | null;
  requestsAreLeast: boolean;
  slices: number;
  takes: string | null;
}

export interface Problem {
  code: string;
  detail: string;
  hint: string;
  next: NextStep[];
  place: Place | null;
  status: number;
  title: string;
  type: string;
}

export interface ProofDays {
  endpoint: string;
  from: string;
  proven: number[];
  queryHash: string;
  range: Stretch;
  records: number[];
  slices: number[];
  source: string;
  states: string[];
}

export interface Proven {
  by: ProvenBy[];
  stretch: Stretch;
}

export interface ProvenBy {
  byEndRule: number;
  byEstimate: number;
  byExactTotal: number;
  closedFirst: string;
  closedLast: string;
  firstSlice: string | null;
  lastSlice: string | null;
  operation: string;
  plan: string | null;
  slices: number;
  sums: Sums;
}

export interface QuarantineCount {
  endpoint: string;
  path: string;
  records: number;
  rule: string;
  source: string;
}

export interface Quarantined {
  batch: string;
  batchNo: number;
  bytes: number;
  createdAt: string;
  decidedAt: string | null;
  decidedBy: string | null;
  decidedReason: string | null;
  endpoint: string;
  exprHash: string;
  id: string;
  itemId: string | null;
  level: string;
  operation: string;
  path: string;
  plan: string;
  reason: string;
  recordNo: number;
  rule: string;
  run: string;
  slice: string;
  source: string;
  status: string;
  task: string;
}

export interface QuarantinedRecord {
  around: Surroundings | null;
  batch: string;
  batchNo: number;
  body: string;
  bodyIsCut: boolean;
  bytes: number;
  createdAt: string;
  decidedAt: string | null;
  decidedBy: string | null;
  decidedReason: string | null;
  endpoint: string;
  exprHash: string;
  fetchedAt: string;
  id: string;
  isBase64: boolean;
  itemId: string | null;
  level: string;
  operation: string;
  path: string;
  plan: string;
  reason: string;
  recordNo: number;
  rule: string;
  run: string;
  slice: string;
  source: string;
  status: string;
  task: string;
  whyAlone: string;
}

export interface QueueHistory {
  all: WorkSeries;
  at: string[];
  claimsFrom: string | null;
  from: string;
  items: EndpointSeries[];
  stepSeconds: number;
  to: string;
}

export interface QueueRow {
  batchesFailed: number;
  batchesSkipped: number;
  batchesSucceeded: number;
  claims: number;
  claimsPerSecond: number;
  dispatched: number;
  endpoint: string;
  executing: number;
  failureShare: number | null;
  meanLatencyMs: number | null;
  operation: string;
  parked: number;
  ready: number;
  records: number;
  requests: number;
  requestsPerSecond: number;
  retries: number;
  runsFailed: number;
  runsPartial: number;
  runsSucceeded: number;
  source: string;
  throttled: number;
  throttledShare: number | null;
}

export interface Quota {
  allowed: number;
  from: string;
  left: number;
  reserved: number;
  to: string;
}

export interface RateInUse {
  allowedPerSecond: number;
  key: string;
  requestsPerSecond: number;
  share: number;
}

export interface Repair {
  endpoint: string;
  givenUp: number;
  held: string | null;
  hint: string | null;
  needed: boolean;
  queryHash: string;
  slices: number;
  source: string;
  triedAgain: number;
}

export interface Replay {
  batch: string;
  batchNo: number;
  committed: unknown;
  counts: Record<string, unknown>;
  differences: unknown[];
  endpoint: string;
  fromRaw: boolean;
  got: unknown;
  isolated: number;
  mode: string;
  operation: string;
  position: string;
  reason: string;
  recorded: unknown;
  refused: string | null;
  run: string;
  source: string;
  tryAt: string | null;
  verdict: string;
  window: string;
}

export interface Run {
  attempt: number;
  correlation: string;
  createdAt: string;
  endpoint: string;
  error: string | null;
  finishedAt: string | null;
  id: string;
  isReplay: boolean;
  operation: string;
  plan: string | null;
  slice: string | null;
  source: string;
  startedAt: string | null;
  stats: unknown;
  status: string;
  task: string | null;
  windowFrom: string | null;
  windowTo: string | null;
}

export interface RunLineage {
  batches: Batch[];
  moreBatches: boolean;
  run: Run;
}

export interface SharedCredential {
  credential: string;
  otherName: string;
  store: string;
  usedAt: string;
}

export interface Signal {
  endpoint: string;
  id: string;
  itemId: string;
  note: string;
  origin: string;
  source: string;
  type: string;
}

export interface Slice {
  announced: number | null;
  closedAt: string | null;
  createdAt: string;
  cutTotal: number | null;
  endpoint: string;
  exprHash: string;
  expression: unknown;
  filtered: number;
  gap: string | null;
  id: string;
  inserted: number;
  missing: number;
  number: number;
  operation: string;
  parent: string | null;
  partsTotal: number | null;
  plan: string | null;
  quarantined: number;
  queryHash: string;
  received: number;
  remarks: unknown;
  repeated: number;
  source: string;
  stale: number;
  status: string;
  task: string | null;
  unchanged: number;
  updated: number;
  updatedAt: string;
  wholeTotal: number | null;
  windowFrom: string | null;
  windowTo: string | null;
}

export interface SliceLineage {
  moreRuns: boolean;
  runs: RunLineage[];
  slice: Slice;
  task: Task | null;
}

export interface Source {
  abstract: boolean;
  endpoints: string[];
  file: string;
  name: string;
  problems: number;
  source: string;
}

export interface SourceCheck {
  definitions: number;
  endpoints: number;
  findings: Finding[];
}

export interface Status {
  alerts: number;
  endpoints: EndpointStatus[];
  executors: number;
  gateCounts: string;
  holds: Hold[];
  newestAlerts: AlertGlance[];
  now: string;
  parkedIsCut: boolean;
  sharedCredentials: SharedCredential[];
  sharingUnknown: string;
}

export interface Stretch {
  from: string;
  to: string;
}

export interface Sums {
  announced: number | null;
  filtered: number;
  inserted: number;
  missing: number;
  quarantined: number;
  received: number;
  repeated: number;
  stale: number;
  unchanged: number;
  updated: number;
}

export interface Surroundings {
  before: string;
  behind: string;
  offset: number;
  pageBytes: number;
}

export interface Task {
  correlation: string;
  createdAt: string;
  credential: string | null;
  endpoint: string;
  fence: number;
  finishedAt: string | null;
  heartbeatAt: string | null;
  id: string;
  lastError: string | null;
  lastErrorCode: string | null;
  leaseCount: number;
  leaseOwner: string | null;
  leasedUntil: string | null;
  operation: string;
  params: unknown;
  parked: boolean;
  plan: string | null;
  priority: number;
  remarks: unknown;
  retryCount: number;
  scheduledAt: string;
  slice: string | null;
  source: string;
  startedAt: string | null;
  status: string;
  trigger: string | null;
  waitReason: string | null;
}

export interface TaskDetails {
  correlation: string;
  createdAt: string;
  credential: string | null;
  endpoint: string;
  fence: number;
  finishedAt: string | null;
  heartbeatAt: string | null;
  id: string;
  lastError: string | null;
  lastErrorCode: string | null;
  leaseCount: number;
  leaseOwner: string | null;
  leasedUntil: string | null;
  operation: string;
  params: unknown;
  parked: boolean;
  plan: string | null;
  priority: number;
  remarks: unknown;
  retryCount: number;
  runs: string[];
  scheduledAt: string;
  slice: string | null;
  source: string;
  startedAt: string | null;
  status: string;
  trigger: string | null;
  waitReason: string | null;
}

export interface TimelineEvent {
  at: string;
  detail: string;
  id: string | null;
  what: string;
}

export interface Trigger {
  correlation: string;
  endpoint: string;
  firedAt: string;
  id: string;
  operation: string;
  params: unknown;
  remarks: unknown;
  scheduler: string;
  source: string;
  type: string;
}

export interface ValueOrigin {
  level: string;
  path: string;
  place: string;
  value: string;
}

export interface Waiting {
  reason: string;
  tasks: number;
  until: string;
}

export interface WorkSeries {
  batchesFailed: number[];
  batchesSucceeded: number[];
  claimsPerSecond: number[];
  failureShare: (number | null)[];
  meanLatencyMs: (number | null)[];
  records: number[];
  requestsPerSecond: number[];
  retries: number[];
  throttledShare: (number | null)[];
}
