import { dayNumber, type Clock } from '../../domain/clock'
import type { PaymentId } from '../../domain/ids'
import type { CardService } from './card-desk'
import { GatewayFault, type UnverifiedPayment } from './card-gateway'
import type { CardPaymentStore } from './card-payment'
import type { GatewayConfigStore } from './gateway-config'

/** Paid at a gateway, of ours by its address, and not in our books. */
interface UnknownPayment extends UnverifiedPayment {
  readonly gateway: string
  readonly payment: string
}

interface ReconcilerParts {
  readonly desk: Pick<CardService, 'settle' | 'gatewayOf'>
  readonly store: Pick<CardPaymentStore, 'due' | 'findByReference'>
  readonly gateways: Pick<GatewayConfigStore, 'list'>
  readonly clock: Clock
  /** Whether this process does it for all that share a database; always, unless told. */
  isOnDuty?(): boolean
  /** Tells the operator of a rate that has grown too old. */
  checkRate(): Promise<void>
  /** Told to the operator; never credited by itself. */
  onUnknown(payment: UnknownPayment): Promise<void>
  onFault(fault: unknown): void
}

/** Finds payments whose customers never came back. */
export interface Reconciler {
  /** Steps now, and then by the clock. */
  start(): void
  /** Settles what is due; once a day reads what gateways list as unverified. */
  step(): Promise<void>
  close(): void
}

const everyMs = 30_000
const maxAtOnce = 200
/** A gateway that is silent holds only its own up. */
const parallel = 8

export function openReconciler(parts: ReconcilerParts): Reconciler {
  const { clock, store, onFault } = parts
  let stepping: Promise<void> | null = null
  let listedOn: number | null = null
  let isClosed = false
  const guarded = async (work: () => Promise<unknown>) => {
    // Its stores may be closed by now.
    if (isClosed) return
    try {
      await work()
    } catch (fault) {
      if (!isClosed) onFault(fault)
    }
  }
  const run = async () => {
    await guarded(async () => {
      const ids = [...(await store.due(clock.now(), maxAtOnce))]
      const settle = async () => {
        for (let id: PaymentId | undefined; (id = ids.shift()) !== undefined;) {
          const each = id
          await guarded(() => parts.desk.settle(each))
        }
      }
      await Promise.all(Array.from({ length: parallel }, settle))
    })
    await guarded(parts.checkRate)
    const today = dayNumber(clock.now())
    if (listedOn === today) return
    listedOn = today
    await guarded(() => readUnverified(parts))
  }
  const step = async (): Promise<void> => {
    if (parts.isOnDuty?.() === false) return
    stepping ??= run().finally(() => (stepping = null))
    await stepping
  }
  let timer: ReturnType<typeof setInterval> | undefined
  return {
    step,
    start() {
      timer ??= setInterval(() => void step(), everyMs)
      timer.unref()
      void step()
    },
    close() {
      isClosed = true
      clearInterval(timer)
    },
  }
}

/** Settles those that we know, tells of those that a restored backup has lost. */
async function readUnverified(parts: ReconcilerParts): Promise<void> {
  const { gateways, desk, store, onUnknown, onFault } = parts
  for (const { name, kind } of await gateways.list()) {
    const gateway = await desk.gatewayOf({ gateway: name, kind })
    let listed: readonly UnverifiedPayment[] = []
    try {
      listed = (await gateway?.unverified?.()) ?? []
    } catch (fault) {
      if (!(fault instanceof GatewayFault)) throw fault
      onFault(fault)
    }
    for (const { payment, ...each } of listed) {
      const known = await store.findByReference(kind, each.reference)
      if (known !== null) await desk.settle(known.id)
      // Other programs may take money by the same merchant.
      else if (payment !== null) await onUnknown({ ...each, payment, gateway: name })
    }
  }
}
