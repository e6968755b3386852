import { credentialNamed } from '../catalogue/credentials'
import type { AttemptSeen, VendorHealthBook } from '../catalogue/health/vendor-health'
import type { VendorConfig } from '../domain/model'
import { GatewayError } from '../errors/gateway-error'
import { messageOnly, VendorFailure } from '../errors/vendor-failure'
import { peerTopics, type Peers, type SeenError, type VendorEvent } from './peers'

const tellEveryMs = 500
/** More of one turn say nothing new. */
const maxEvents = 200

/**
 * Health of vendors in one of several fronts: it learns from its own calls at once, tells the owner of them, and
 * takes over what the owner knows.
 */
export function openSharedHealth(health: VendorHealthBook, { bus }: Peers): VendorHealthBook {
  let events: VendorEvent[] = []
  let timer: ReturnType<typeof setTimeout> | null = null
  const told = new Set<string>()
  const tell = () => {
    timer = null
    const sent = events
    events = []
    told.clear()
    bus.tell(peerTopics.vendorEvents, sent)
  }
  const note = (event: VendorEvent) => {
    if (events.length < maxEvents) events.push(event)
    timer ??= setTimeout(tell, tellEveryMs)
    timer.unref()
  }
  bus.on(peerTopics.vendorStates, (states) => {
    health.adopt(states)
    return null
  })
  return {
    order: (vendor, call) => health.order(vendor, call),
    coolingUntil: (vendor) => health.coolingUntil(vendor),
    succeeded(vendor) {
      health.succeeded(vendor)
      const { name, credentialName = '' } = vendor
      const known = `${name} ${credentialName}`
      if (vendor.source === 'builtin' || told.has(known)) return
      told.add(known)
      note(eventOf('succeeded', vendor, null))
    },
    failed(vendor, error) {
      health.failed(vendor, error)
      if (vendor.source !== 'builtin') note(eventOf('failed', vendor, error))
    },
    attempted(attempt) {
      health.attempted(attempt)
      const { config, began, failed, error } = attempt
      if (config.source !== 'builtin' && events.length < maxEvents)
        note({ ...eventOf('attempted', config, error), began, failed })
    },
    configure: (vendors) => health.configure(vendors),
    adopt: (states) => health.adopt(states),
    due: () => health.due(),
    checked: (vendor, result) => health.checked(vendor, result),
    takeChanges: (ending) => health.takeChanges(ending),
    putBack: (changes) => health.putBack(changes),
    states: () => health.states(),
  }
}

/** Has the owner hear of what fronts see of vendors, and fronts of what it knows. @returns what ends it */
export function shareHealth(
  health: VendorHealthBook,
  configOf: (vendor: string) => VendorConfig | null,
  { bus }: Peers,
): () => void {
  bus.on(peerTopics.vendorEvents, (events) => {
    for (const event of events) hear(health, configOf, event)
    return null
  })
  let last = ''
  const timer = setInterval(() => {
    const states = health.states().map((state) => ({ ...state, recent: null }))
    const text = JSON.stringify(states)
    if (text !== last) bus.tell(peerTopics.vendorStates, states)
    last = text
  }, tellEveryMs)
  timer.unref()
  return () => clearInterval(timer)
}

const eventOf = (
  kind: VendorEvent['kind'],
  { name, credentialName }: VendorConfig,
  error: GatewayError | null,
): VendorEvent => ({
  kind,
  vendor: name,
  credential: credentialName ?? null,
  began: null,
  failed: null,
  error: error === null ? null : seenOf(error),
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
  { kind, vendor, credential, began, failed, error }: VendorEvent,
): void {
  const known = configOf(vendor)
  if (known === null) return
  const config = credentialNamed(known, credential)
  if (kind === 'succeeded') return health.succeeded(config)
  const seen = error === null ? null : errorOf(error)
  if (kind === 'failed') {
    if (seen !== null) health.failed(config, seen)
    return
  }
  if (began === null) return
  const attempt: AttemptSeen = { config, began, failed, error: seen }
  health.attempted(attempt)
}
