import { keptForever } from '../../gateway/catalogue/health/terms'
import type { Ms } from '../../domain/clock'
import { wired } from '../../domain/fields/field'
import type { VendorConfig } from '../../domain/model'
import { vendorFields } from '../../domain/fields/vendor-fields'
import { wholeVendor, type RecentCalls, type VendorState } from '../../domain/vendor-state'
import type { Storage } from '../data/storage'
import type { ServiceParts } from '../data/service-parts'
import { AdminError } from '../operations/admin-error'
import { credentialsIn, type ListedCredential } from './vendor-credentials'
import { marginOf } from './vendors'

interface VendorViewParts extends ServiceParts {
  readonly storage: ServiceParts['storage'] & Pick<Storage, 'vendorStates'>
  readonly discovery: ServiceParts['discovery'] & {
    /** Names of vendors whose keys are where the gateway runs, and not known here. */
    readonly keysElsewhere?: ReadonlySet<string>
  }
  readonly now: Ms
}

/** A vendor without its keys. */
export async function vendorView(parts: VendorViewParts, vendor: VendorConfig) {
  const { kind, dialect, base_url, active, ...fields } = wired(vendorFields, vendor)
  return {
    name: vendor.name,
    kind,
    dialect,
    base_url,
    api_key: isKeyElsewhere(parts, vendor) ? '…' : masked(vendor.credential),
    ...fields,
    margin_percent: await marginOf(parts, vendor.name),
    active,
    source: vendor.source,
    ...(await healthView(parts, vendor)),
  }
}

/** Health as the gateway last wrote it down. */
async function healthView(parts: VendorViewParts, vendor: VendorConfig) {
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
    cooling_until:
      coolingText(whole, parts.now) ?? (troubled ? (active[0]?.cooling_until ?? null) : null),
    balance: active.find(({ balance }) => balance !== null)?.balance ?? null,
    last_failure: failure === null ? null : failureView(failure),
    recent_calls: recentView(whole?.recent ?? null),
    credentials,
  }
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

/** One of its credentials. */
const credentialView = (
  parts: VendorViewParts,
  vendor: VendorConfig,
  { name, secret, active }: ListedCredential,
  state: VendorState | undefined,
) => ({
  name,
  api_key: secret === null && isKeyElsewhere(parts, vendor) ? '…' : masked(secret),
  active,
  state: active ? (state?.trouble ?? 'ok') : 'off',
  cooling_until: coolingText(state, parts.now),
  balance: state?.balance ?? null,
  checked: timeText(state?.checked),
})

const timeText = (at: number | null | undefined): string | null =>
  at === null || at === undefined ? null : new Date(at).toISOString()

/** When other routes are not tried before any more. */
const coolingText = (state: VendorState | undefined, now: Ms): string | null => {
  const until = state?.coolingUntil ?? null
  if (until === null || until <= now) return null
  return until === keptForever ? 'a check passes' : timeText(until)
}

const failureView = ({ failureCode, failedAt }: VendorState) => ({
  code: failureCode,
  at: timeText(failedAt),
})

/** Of a key this short, four characters would tell too much. */
const minShown = 12

function masked(credential: string | null): string | null {
  if (credential === null) return null
  return credential.length < minShown ? '…' : `…${credential.slice(-4)}`
}

/** Whether its key is where the gateway runs, and not known here. */
export const isKeyElsewhere = (
  { discovery }: Pick<VendorViewParts, 'discovery'>,
  { name, credential, source }: VendorConfig,
): boolean =>
  credential === null && source === 'environment' && discovery.keysElsewhere?.has(name) === true

/** Checks that a vendor can be called with its key. @throws AdminError vendor_key_elsewhere */
export function checkKeyHere(
  parts: Pick<VendorViewParts, 'discovery'>,
  vendor: VendorConfig,
): void {
  if (isKeyElsewhere(parts, vendor))
    throw new AdminError('vendor_key_elsewhere', { vendor: vendor.name })
}
