import type { ProjectId } from '../../../domain/ids'
import type { Clock, Moment, Monotonic, Ms, Ticks } from '../../../domain/clock'
import type { VendorConfig } from '../../../domain/model'
import type { TroubleTurn, VendorState } from '../../../domain/vendor-state'
import type { GatewayError } from '../../../errors/gateway-error'
import { VendorFailure } from '../../../errors/vendor-failure'
import { credentialsOf, hasSeveral } from '../credentials'
import { faultOf } from './faults'
import type { CheckedVendor } from './check'
import type { HealthTerms } from './terms'
import { VendorEntry } from './vendor-entry'

/** Owner of a call, as far as that decides by which credential a vendor is asked. */
interface CredentialCall {
  /** A project keeps to one credential while that serves: the vendor's prompt cache is of its account. */
  readonly project: ProjectId | null
  /** The one that must ask, where it goes on from what that one did before. */
  readonly credential?: string | undefined
}

/** Health of vendors, learned from calls and checks. In memory; written down by others. */
export interface VendorHealth {
  /**
   * A vendor's configuration once for each credential to try, in order. One that cools is left out,
   * unless all do.
   */
  order(vendor: VendorConfig, call: CredentialCall): readonly VendorConfig[]
  /** Until when routes to this vendor come last; null while nothing is wrong with all of it. */
  coolingUntil(vendor: string): Ticks | null
  /** @param at when, where another process saw it: what failed since then is not mended by it */
  succeeded(vendor: VendorConfig, at?: Ms): void
  /** @param at when, where another process saw it */
  failed(vendor: VendorConfig, error: GatewayError, at?: Ms): void
}

/** Same, for who checks vendors and writes down what is known. */
export interface VendorHealthBook extends VendorHealth {
  /** Takes in which vendors there are. */
  configure(vendors: readonly VendorConfig[]): void
  /** Those to check by now: not called for a while, or in trouble. */
  due(): readonly VendorConfig[]
  checked(vendor: VendorConfig, result: CheckedVendor): void
  /** A call to it is answered, or failed: how long it took is part of what is known. */
  attempted(attempt: AttemptSeen): void
  /** Takes the changes since the last time. @param ending also those that wait for their time */
  takeChanges(ending?: boolean): HealthChanges
  /** Puts back changes that could not be written. */
  putBack(changes: HealthChanges): void
  /** As it is by now. */
  states(): readonly VendorState[]
}

/** A call to a vendor, up to its answer. */
export interface AttemptSeen {
  readonly config: VendorConfig
  /** Until it was answered, failed or was given up, in milliseconds. */
  readonly tookMs: number
  /** When it failed or was given up; null where it answered just now. */
  readonly failed: Ms | null
  /** Null where it answered, and where the client left before it could. */
  readonly error: GatewayError | null
}

/** Changes of vendor health that are not written yet, and troubles that began or ended. */
export interface HealthChanges {
  readonly states: readonly VendorState[]
  readonly gone: readonly Pick<VendorState, 'vendor' | 'credential'>[]
  readonly turns: readonly TroubleTurn[]
}

interface VendorHealthParts {
  /** Wall clock for times that are shown and stored. */
  readonly clock: Clock
  readonly monotonic: Monotonic
  readonly terms: HealthTerms
  /** Whether a check of this vendor tells our balance there. */
  tellsBalance(vendor: VendorConfig): boolean
  /** From the last time that a gateway served. */
  readonly kept: readonly VendorState[]
}

export const openVendorHealth = (parts: VendorHealthParts): VendorHealthBook =>
  new HealthBook(parts)

class HealthBook implements VendorHealthBook {
  readonly #vendors = new Map<string, VendorEntry>()
  /** Names of those that are not well, so that nobody looks at the others. */
  readonly #unwell = new Set<string>()
  readonly #parts: VendorHealthParts
  #configured: readonly VendorConfig[] = []
  #gone: Pick<VendorState, 'vendor' | 'credential'>[] = []
  #turns: TroubleTurn[] = []

  constructor(parts: VendorHealthParts) {
    this.#parts = parts
    const now = this.#now()
    for (const state of parts.kept) this.#entry(state.vendor).restore(state, now)
    for (const [name, entry] of this.#vendors) this.#note(name, entry)
  }

  order(vendor: VendorConfig, { project, credential }: CredentialCall): readonly VendorConfig[] {
    if (!hasSeveral(vendor)) return [vendor]
    const all = credentialsOf(vendor)
    const pinned = all.filter(({ credentialName }) => credentialName === credential)
    if (pinned.length > 0) return pinned
    const entry = this.#entry(vendor.name)
    const now = this.#parts.monotonic.ticks()
    const from = project === null ? entry.turn() : project
    const turned = all.map((_, at) => all[(at + from) % all.length] ?? vendor)
    const ready = turned.filter((each) => entry.credential(each).until <= now)
    if (ready.length > 0) return ready
    return turned
      .toSorted((a, b) => entry.credential(a).until - entry.credential(b).until)
      .slice(0, 1)
  }

  coolingUntil(vendor: string): Ticks | null {
    if (!this.#unwell.has(vendor)) return null
    return this.#vendors.get(vendor)?.coolingUntil(this.#parts.monotonic.ticks()) ?? null
  }

  succeeded(vendor: VendorConfig, at?: Ms): void {
    if (vendor.source === 'builtin') return
    const entry = this.#entry(vendor.name)
    entry.called = this.#parts.monotonic.ticks()
    if (!this.#unwell.has(vendor.name)) return
    if (at !== undefined && at < entry.failedAt(vendor)) return
    this.#turned(entry.succeeded(vendor, this.#parts.clock.now()))
    this.#note(vendor.name, entry)
  }

  failed(vendor: VendorConfig, error: GatewayError, at?: Ms): void {
    // What it fails with is asked for.
    if (vendor.source === 'builtin') return
    const entry = this.#entry(vendor.name)
    const now = this.#now(at)
    entry.called = now.ticks
    const fault = faultOf(error)
    if (fault === 'none') return
    this.#turned(entry.failed(vendor, { fault, error, now }, this.#parts.terms))
    this.#note(vendor.name, entry)
  }

  configure(vendors: readonly VendorConfig[]): void {
    this.#configured = vendors
    const watched = vendors.filter(({ active, source }) => active && source !== 'builtin')
    const active = new Map(watched.map((each) => [each.name, each]))
    for (const vendor of active.values()) {
      const entry = this.#entry(vendor.name)
      const gone = entry.configure(credentialsOf(vendor))
      this.#gone.push(...gone.map((credential) => ({ vendor: vendor.name, credential })))
      this.#note(vendor.name, entry)
    }
    for (const [vendor, entry] of this.#vendors) {
      if (active.has(vendor)) continue
      this.#gone.push(...entry.names().map((credential) => ({ vendor, credential })))
      this.#vendors.delete(vendor)
      this.#unwell.delete(vendor)
    }
  }

  due(): readonly VendorConfig[] {
    const now = this.#parts.monotonic.ticks()
    return this.#configured.filter(
      (vendor) =>
        this.#vendors
          .get(vendor.name)
          ?.isDue(now, this.#parts.terms, this.#parts.tellsBalance(vendor)) === true,
    )
  }

  checked(vendor: VendorConfig, result: CheckedVendor): void {
    const entry = this.#vendors.get(vendor.name)
    // It may have been taken away meanwhile.
    if (entry === undefined) return
    this.#turned(entry.checked(vendor, result, this.#now(), this.#parts.terms))
    this.#note(vendor.name, entry)
  }

  attempted({ config, tookMs, failed, error }: AttemptSeen): void {
    if (config.source === 'builtin') return
    const { recent } = this.#entry(config.name)
    const now = failed ?? this.#parts.clock.now()
    if (failed === null) recent.answered(tookMs, now)
    else if (error !== null && faultOf(error) !== 'none') {
      const { code, cause } = error
      const status = cause instanceof VendorFailure ? cause.status : null
      recent.failed({ code, status, at: now })
    }
  }

  takeChanges(ending = false): HealthChanges {
    const now = this.#now()
    const states = [...this.#vendors.values()].flatMap((entry) => entry.takeChanged(now, ending))
    const changes = { states, gone: this.#gone, turns: this.#turns }
    this.#gone = []
    this.#turns = []
    return changes
  }

  putBack({ states, gone, turns }: HealthChanges): void {
    for (const { vendor, credential } of states) this.#vendors.get(vendor)?.markChanged(credential)
    this.#gone = [...gone, ...this.#gone]
    this.#turns = [...turns, ...this.#turns]
  }

  states(): readonly VendorState[] {
    const now = this.#now()
    return [...this.#vendors.values()].flatMap((entry) => entry.states(now))
  }

  /** @param at when another process saw it */
  #now(at: Ms = this.#parts.clock.now()): Moment {
    return { at, ticks: this.#parts.monotonic.ticks() }
  }

  #entry(name: string): VendorEntry {
    let entry = this.#vendors.get(name)
    if (entry === undefined) {
      entry = new VendorEntry(name, this.#parts.monotonic.ticks(), this.#parts.terms.jitter())
      this.#vendors.set(name, entry)
    }
    return entry
  }

  #turned(turns: readonly TroubleTurn[]): void {
    if (turns.length > 0) this.#turns.push(...turns)
  }

  #note(name: string, entry: VendorEntry): void {
    if (entry.isWell) this.#unwell.delete(name)
    else this.#unwell.add(name)
  }
}
