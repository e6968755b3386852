import type { CardPaymentStore } from '../../business/payments/card-payment'
import type { PaymentId } from '../../domain/ids'
import type { VendorStateStore } from '../../gateway/catalogue/health/state-store'
import type { HolderDelivery } from '../../business/notices/recipients/contract'
import type { Delivery } from '../../business/notices/contract'
import { DutyLost, type DutyClaim } from '../../business/data/nodes'
import type { Storage } from '../../business/data/storage'
import type { DutyName, ProcessDuties } from './cluster'

/** Work of one duty, from where it is looked up until it is written down under the claim of then. */
class DutyWork {
  #stores: Storage | null = null
  #claim: DutyClaim | null = null
  /** Begun under that claim. */
  readonly #begun = new Set<string>()
  readonly #name: DutyName
  readonly #storage: Storage
  readonly #duties: ProcessDuties

  constructor(name: DutyName, storage: Storage, duties: ProcessDuties) {
    this.#name = name
    this.#storage = storage
    this.#duties = duties
  }

  /** Stores for what begins now; null where another process does it. */
  stores(): Storage | null {
    const claim = this.#duties.claimOf(this.#name)
    if (this.#stores === null || claim?.claim !== this.#claim?.claim) {
      const stores = this.#duties.begin(this.#name, this.#storage)
      if (stores === null) return null
      // What began under an earlier claim is another process's by now.
      this.#begun.clear()
      this.#claim = claim
      this.#stores = stores
    }
    return this.#duties.has(this.#name) ? this.#stores : null
  }

  begin(names: readonly string[]): void {
    for (const name of names) this.#begun.add(name)
  }

  /** Its stores, for a write. @throws DutyLost where it was begun under another claim */
  of(name: string): Storage {
    if (this.#stores === null || !this.#begun.has(name)) throw new DutyLost(this.#name)
    return this.#stores
  }

  /** Same, for its last one. */
  end(name: string): Storage {
    const stores = this.of(name)
    this.#begun.delete(name)
    return stores
  }
}

/** Notices of a storage, of which one process sends: to the others nothing is ever due. */
export function sentOnDuty(storage: Storage, duties: ProcessDuties): Storage {
  const workOf = () => new DutyWork('notices', storage, duties)
  const looks = workOf()
  return {
    ...storage,
    notices: operatorNotices(storage, workOf()),
    holderNotices: holderNotices(storage, workOf()),
    // One look each: what it finds and what it writes are one transaction.
    untold: (channels) => ({
      tell: async (now) => (await looks.stores()?.untold(channels).tell(now)) ?? 0,
    }),
  }
}

function operatorNotices({ notices }: Storage, work: DutyWork): Storage['notices'] {
  const nameOf = (notice: string, channel: string) => `${notice} ${channel}`
  const end = (notice: string, channel: string) => work.end(nameOf(notice, channel)).notices
  return {
    ...notices,
    async due(...asked) {
      if (work.stores() === null) return []
      const due: readonly Delivery[] = await notices.due(...asked)
      work.begin(due.map(({ notice, channel }) => nameOf(notice.id, channel)))
      return due
    },
    nextDue: async (channel) => (work.stores() === null ? null : await notices.nextDue(channel)),
    delivered: async (notice, channel, ...rest) =>
      await end(notice, channel).delivered(notice, channel, ...rest),
    postpone: async (notice, channel, ...rest) =>
      await end(notice, channel).postpone(notice, channel, ...rest),
    giveUp: async (notice, channel, ...rest) =>
      await end(notice, channel).giveUp(notice, channel, ...rest),
    forget: async (...asked) => (await work.stores()?.notices.forget(...asked)) ?? 0,
  }
}

function holderNotices(
  { holderNotices: store }: Storage,
  work: DutyWork,
): Storage['holderNotices'] {
  const nameOf = ({ notice, way, person }: Pick<HolderDelivery, 'notice' | 'way' | 'person'>) =>
    `${notice.id} ${way} ${person ?? ''}`
  const end = (delivery: Parameters<typeof nameOf>[0]) => work.end(nameOf(delivery)).holderNotices
  return {
    ...store,
    async spread(...given) {
      const stores = work.stores()
      if (stores === null) throw new DutyLost('notices')
      await stores.holderNotices.spread(...given)
    },
    async due(...asked) {
      if (work.stores() === null) return []
      const due: readonly HolderDelivery[] = await store.due(...asked)
      work.begin(due.map(nameOf))
      return due
    },
    nextDue: async (way) => (work.stores() === null ? null : await store.nextDue(way)),
    delivered: async (place, ...rest) => await end(place).delivered(place, ...rest),
    postpone: async (place, ...rest) => await end(place).postpone(place, ...rest),
    giveUp: async (place, ...rest) => await end(place).giveUp(place, ...rest),
  }
}

/** Payments as whoever reconciles them for all writes them: under the claim by which each was looked up. */
export function reconciledOnDuty(storage: Storage, duties: ProcessDuties): CardPaymentStore {
  const { cardPayments } = storage
  const work = new DutyWork('payments', storage, duties)
  return {
    ...cardPayments,
    async find(id: PaymentId) {
      if (work.stores() === null) throw new DutyLost('payments')
      work.begin([id])
      return await cardPayments.find(id)
    },
    credit: async (id, paid) => await work.of(id).cardPayments.credit(id, paid),
    note: async (id, verdict) => await work.of(id).cardPayments.note(id, verdict),
  }
}

/**
 * States of vendors as processes know them. Whoever asks idle ones for all writes under the claim of that; what a process
 * learned that has lost it is let go, since its next calls teach it again.
 */
export function vendorStatesOnDuty(
  storage: Storage,
  duties: ProcessDuties,
  onLost: (lost: DutyLost) => void,
): VendorStateStore {
  const { vendorStates } = storage
  let last: Storage | null = null
  return {
    ...vendorStates,
    async save(changes) {
      const begun = duties.begin('vendors', storage)
      // What was learned on duty is in the first changes after it, too: these still show its claim.
      const stores = begun ?? last ?? storage
      last = begun
      try {
        await stores.vendorStates.save(changes)
      } catch (thrown) {
        if (!(thrown instanceof DutyLost)) throw thrown
        onLost(thrown)
      }
    },
  }
}
