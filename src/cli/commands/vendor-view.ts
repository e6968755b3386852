import { credentialsIn, type ListedCredential } from '../../admin/vendor-credentials'
import { marginOf, type VendorOutcome } from '../../admin/vendors'
import { forever } from '../../catalogue/health/terms'
import { systemClock } from '../../domain/clock'
import type { VendorConfig } from '../../domain/model'
import { wholeVendor, type RecentCalls, type VendorState } from '../../domain/vendor-state'
import type { ListForm } from '../kit/listing'
import { printFields, printLine, printTable } from '../kit/output'
import { balanceText } from './vendor-test'
import type { CommandParts } from './with-service'

/** A vendor without its keys, for programs. */
export const vendorView = async (parts: CommandParts, vendor: VendorConfig) => ({
  object: 'vendor',
  name: vendor.name,
  kind: vendor.kind,
  dialect: vendor.dialect,
  base_url: vendor.baseUrl,
  api_key: isKeyElsewhere(parts, vendor) ? '…' : masked(vendor.credential),
  timeout_seconds: vendor.timeoutMs / 1000,
  transport: vendor.transport,
  margin_percent: await marginOf(parts, vendor.name),
  active: vendor.active,
  source: vendor.source,
  ...(await healthView(parts, vendor)),
})

/** What the gateway knows of it, as it wrote it down when it last changed. */
async function healthView(parts: CommandParts, vendor: VendorConfig) {
  const states = (await parts.storage.vendorStates.all()).filter(
    (state) => state.vendor === vendor.name,
  )
  const stateOf = (credential: string) => states.find((state) => state.credential === credential)
  const credentials = (await credentialsIn(parts, vendor)).map((each) =>
    credentialView(parts, vendor, each, stateOf(each.name)),
  )
  const whole = stateOf(wholeVendor)
  const active = credentials.filter((each) => each.active)
  const troubled = active.length > 0 && active.every(({ state }) => state !== 'ok')
  const failure = states
    .filter(({ failedAt }) => failedAt !== null)
    .reduce<VendorState | null>(
      (last, state) => ((state.failedAt ?? 0) > (last?.failedAt ?? 0) ? state : last),
      null,
    )
  return {
    state: !vendor.active
      ? 'off'
      : (whole?.trouble ?? (troubled ? (active[0]?.state ?? 'ok') : 'ok')),
    trouble_since: timeText(
      whole?.since ?? (troubled ? stateOf(active[0]?.name ?? '')?.since : null),
    ),
    cooling_until: coolingText(whole) ?? (troubled ? (active[0]?.cooling_until ?? null) : null),
    balance: active.find(({ balance }) => balance !== null)?.balance ?? null,
    last_failure: failure === null ? null : failureView(failure),
    recent_calls: recentView(whole?.recent ?? null),
    credentials,
  }
}

/** For people: failures as a table, and credentials where there are several. */
export function printVendor({
  credentials,
  recent_calls: recent,
  ...view
}: Awaited<ReturnType<typeof vendorView>>): void {
  const { last_failures: failures = [], ...calls } = recent ?? {}
  printFields({
    ...view,
    ...Object.fromEntries(Object.entries(calls).map(([name, value]) => [`recent_${name}`, value])),
  })
  if (failures.length > 0) {
    printLine()
    printTable([
      ['FAILED', 'CODE', 'STATUS'],
      ...failures.map(({ at, code, status }) => [at, code, String(status ?? '–')]),
    ])
  }
  if (credentials.length < 2) return
  printLine()
  printTable([credentialForm.heading, ...credentials.map(credentialForm.cells)])
}

/** The last calls to it, as the gateway wrote them down some seconds ago. */
function recentView(recent: RecentCalls | null) {
  if (recent === null) return null
  const { attempts, failures, p50Ms, p95Ms, since, until, lastFailures } = recent
  return {
    calls: attempts,
    failed: failures,
    failed_percent: Math.round((1000 * failures) / attempts) / 10,
    p50_ms: p50Ms,
    p95_ms: p95Ms,
    since: new Date(since).toISOString(),
    until: new Date(until).toISOString(),
    last_failures: lastFailures.map(({ at, ...each }) => ({
      ...each,
      at: new Date(at).toISOString(),
    })),
  }
}

export const credentialForm: ListForm<ReturnType<typeof credentialView>> = {
  columns: ['name', 'api_key', 'active', 'state', 'cooling_until', 'balance', 'checked'],
  heading: ['CREDENTIAL', 'KEY', 'STATE', 'COOLING UNTIL', 'BALANCE', 'CHECKED'],
  cells: (each) => [
    each.name,
    each.api_key ?? '–',
    each.state,
    each.cooling_until ?? '–',
    each.balance === null ? '–' : balanceText(each.balance),
    each.checked ?? '–',
  ],
}

/** One of its credentials. */
export const credentialView = (
  parts: CommandParts,
  vendor: VendorConfig,
  { name, secret, active }: ListedCredential,
  state: VendorState | undefined,
) => ({
  name,
  api_key: secret === null && isKeyElsewhere(parts, vendor) ? '…' : masked(secret),
  active,
  state: active ? (state?.trouble ?? 'ok') : 'off',
  cooling_until: coolingText(state),
  balance: state?.balance ?? null,
  checked: timeText(state?.checked),
})

const timeText = (at: number | null | undefined): string | null =>
  at === null || at === undefined ? null : new Date(at).toISOString()

/** When other routes are not tried before any more. */
const coolingText = (state: VendorState | undefined): string | null => {
  const until = state?.coolingUntil ?? null
  if (until === null || until <= systemClock.now()) return null
  return until === forever ? 'a check passes' : timeText(until)
}

const failureView = ({ failureCode, failedAt }: VendorState) => ({
  code: failureCode,
  at: timeText(failedAt),
})

/** Of a key this short, four characters would tell too much. */
const shortestShown = 12

function masked(credential: string | null): string | null {
  if (credential === null) return null
  return credential.length < shortestShown ? '…' : `…${credential.slice(-4)}`
}

/** Whether its key is where the gateway runs, and not known here. */
export const isKeyElsewhere = (
  { discovery }: Pick<CommandParts, 'discovery'>,
  { name, credential, source }: VendorConfig,
): boolean => credential === null && source === 'environment' && discovery.keysElsewhere.has(name)

/** @throws RangeError where a vendor can be asked from the gateway's environment only */
export function checkKeyHere(parts: Pick<CommandParts, 'discovery'>, vendor: VendorConfig): void {
  if (isKeyElsewhere(parts, vendor))
    throw new RangeError(
      `${vendor.name} was found in the environment of the gateway, and its key is not known here: set its variable in this shell too`,
    )
}

/** What prices wait for because of a change, for people. */
export function printProposed({ proposed }: Pick<VendorOutcome, 'proposed'>): void {
  if (proposed.length === 0) return
  const names = proposed.slice(0, 3).join(', ')
  const more = proposed.length > 3 ? ` and ${proposed.length - 3} more` : ''
  printLine(
    `no price on sale moved; by their rules ${names}${more} would have others: chapar prices list`,
  )
}
