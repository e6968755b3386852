import { credentialNamed } from '../gateway/catalogue/credentials'
import type { CheckedVendor } from '../gateway/catalogue/health/check'
import type { AttemptSeen, VendorHealthBook } from '../gateway/catalogue/health/vendor-health'
import type { Clock, Ms } from '../domain/clock'
import type { VendorConfig } from '../domain/model'
import { GatewayError } from '../errors/gateway-error'
import { messageOnly, VendorFailure } from '../errors/vendor-failure'
import type { ProcessBus } from './cluster/bus'
import { busTopics, type SeenError, type VendorEvent } from './bus-topics'

const reportEveryMs = 500
/** More of one turn say nothing new. */
const maxEvents = 200

interface SharedHealthParts {
  readonly health: VendorHealthBook
  readonly bus: ProcessBus
  readonly clock: Clock
  configOf(vendor: string): VendorConfig | null
  /** How many calls of one turn others hear of, beside what follows from them. */
  readonly maxAttempts: number
}

/**
 * Health of vendors in one of several processes: it learns from its own calls and checks at once, and from those of all
 * others within a second. Each comes to the same by itself, since all hear the same.
 */
export function openSharedHealth(parts: SharedHealthParts): VendorHealthBook {
  const { health, bus, clock, configOf, maxAttempts } = parts
  const eventOf = eventsBy(clock)
  bus.on(busTopics.vendorEvents, (heard) => {
    for (const event of heard) hear(health, configOf, event)
    return null
  })
  const { note, attempt } = openReporting(bus, maxAttempts)
  return {
    order: (vendor, call) => health.order(vendor, call),
    coolingUntil: (vendor) => health.coolingUntil(vendor),
    succeeded(vendor) {
      health.succeeded(vendor)
      if (vendor.source !== 'builtin') note(eventOf('succeeded', vendor, null))
    },
    failed(vendor, error) {
      health.failed(vendor, error)
      if (vendor.source !== 'builtin') note(eventOf('failed', vendor, error))
    },
    attempted(seen) {
      health.attempted(seen)
      const { config, tookMs, failed, error } = seen
      if (config.source !== 'builtin')
        attempt(() => {
          const event = eventOf('attempted', config, error)
          return { ...event, began: ((failed ?? event.at) - tookMs) as Ms, failed }
        })
    },
    checked(vendor, result) {
      health.checked(vendor, result)
      const { error, ...check } = result
      note({ ...eventOf('checked', vendor, error), check })
    },
    configure: (vendors) => health.configure(vendors),
    due: () => health.due(),
    takeChanges: (ending) => health.takeChanges(ending),
    putBack: (changes) => health.putBack(changes),
    states: () => health.states(),
  }
}

/** Tells the others of events together, each success of one turn once. */
function openReporting(bus: ProcessBus, maxAttempts: number) {
  let events: VendorEvent[] = []
  let attempts = 0
  let timer: ReturnType<typeof setTimeout> | null = null
  /** Those whose last event is a success. */
  const well = new Set<string>()
  const tell = () => {
    const told = events
    timer = null
    events = []
    attempts = 0
    well.clear()
    bus.tell(busTopics.vendorEvents, told)
  }
  const add = (event: VendorEvent) => {
    events.push(event)
    if (timer !== null) return
    timer = setTimeout(tell, reportEveryMs)
    timer.unref()
  }
  return {
    note(event: VendorEvent) {
      const { kind, vendor, credential } = event
      const name = `${vendor} ${credential ?? ''}`
      if (kind === 'succeeded' && well.has(name)) return
      // Attempts that are only counted are no reason to leave a failure out.
      if (events.length - attempts >= maxEvents) return
      if (kind === 'succeeded') well.add(name)
      else well.delete(name)
      add(event)
    },
    attempt(make: () => VendorEvent) {
      if (attempts >= maxAttempts) return
      attempts++
      add(make())
    },
  }
}

const eventsBy =
  (clock: Clock) =>
  (
    kind: VendorEvent['kind'],
    { name, credentialName }: VendorConfig,
    error: GatewayError | null,
  ): VendorEvent => ({
    kind,
    vendor: name,
    credential: credentialName ?? null,
    at: clock.now(),
    began: null,
    failed: null,
    error: error === null ? null : seenOf(error),
    check: null,
  })

function seenOf({ code, retryAfterSeconds, cause }: GatewayError): SeenError {
  const failure = cause instanceof VendorFailure ? cause : null
  return {
    code,
    retryAfterSeconds,
    status: failure?.status ?? null,
    alert: failure?.alert ?? null,
  }
}

function errorOf({ code, retryAfterSeconds, status, alert }: SeenError): GatewayError {
  const cause = status === null ? undefined : new VendorFailure(status, messageOnly(''), alert)
  return new GatewayError(
    code,
    {},
    {
      ...(retryAfterSeconds === null ? {} : { retryAfterSeconds }),
      ...(cause === undefined ? {} : { cause }),
    },
  )
}

function hear(
  health: VendorHealthBook,
  configOf: (vendor: string) => VendorConfig | null,
  { kind, vendor, credential, at, began, failed, error, check }: VendorEvent,
): void {
  const known = configOf(vendor)
  if (known === null) return
  const config = credentialNamed(known, credential)
  const seen = error === null ? null : errorOf(error)
  if (kind === 'succeeded') health.succeeded(config, at)
  else if (kind === 'failed' && seen !== null) health.failed(config, seen, at)
  else if (kind === 'checked' && check !== null) {
    const result: CheckedVendor = { ...check, error: seen }
    health.checked(config, result)
  } else if (kind === 'attempted' && began !== null) {
    // Of one clock, since the process that tells it made one of the other.
    const tookMs = (failed ?? at) - began
    const attempt: AttemptSeen = { config, tookMs, failed, error: seen }
    health.attempted(attempt)
  }
}
