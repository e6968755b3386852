import { openInLine } from '../../../domain/serial-queue'
import type { VendorConfig } from '../../../domain/model'
import type { DueNotice } from '../../../domain/notice'
import type { TroubleTurn } from '../../../domain/vendor-state'
import { credentialsOf } from '../credentials'
import type { CheckedVendor } from './check'
import type { VendorStateStore } from './state-store'
import type { VendorHealthBook } from './vendor-health'

/** Health checks of idle vendors in the background; writes down the state of all. */
export interface VendorChecker {
  start(): void
  /**
   * Runs the checks that are due by now; its own timer calls it. Resolves when the checks that it began are
   * over.
   */
  step(): Promise<void>
  /** Writes pending states and stops. */
  close(): Promise<void>
}

interface VendorCheckerParts {
  readonly health: VendorHealthBook
  readonly store: Pick<VendorStateStore, 'save'>
  /** Vendors by now; the same array as long as nothing changed. */
  vendors(): readonly VendorConfig[]
  /** Whether a vendor has something to ask that is free. */
  isCheckable(vendor: VendorConfig): boolean
  /** Asks it, with its credential. Never throws. */
  check(vendor: VendorConfig): Promise<CheckedVendor>
  noticeOf(turn: TroubleTurn): DueNotice
  /** Notices were written. */
  onTold(): void
  onFault(fault: unknown): void
}

const stepMs = 1000
/** Vendors that are asked at the same time; each is asked once at a time. */
const maxRunning = 4

export function openVendorChecker(parts: VendorCheckerParts): VendorChecker {
  const { health, store } = parts
  const running = new Set<string>()
  let timer: ReturnType<typeof setInterval> | null = null

  const inLine = openInLine()
  const write = async (ending: boolean) => {
    const changes = health.takeChanges(ending)
    const { states, gone, turns } = changes
    if (states.length + gone.length + turns.length === 0) return
    try {
      await store.save({ states, gone, notices: turns.map(parts.noticeOf) })
      if (turns.length > 0) parts.onTold()
    } catch (fault) {
      health.putBack(changes)
      parts.onFault(fault)
    }
  }
  // What was taken first is written first.
  const flush = (ending = false) => inLine(() => write(ending))
  const checkAll = async (vendor: VendorConfig) => {
    try {
      for (const each of credentialsOf(vendor)) health.checked(each, await parts.check(each))
    } finally {
      running.delete(vendor.name)
    }
  }
  const step = async () => {
    health.configure(parts.vendors())
    const due = health
      .due()
      .filter((vendor) => !running.has(vendor.name) && parts.isCheckable(vendor))
      .slice(0, maxRunning - running.size)
    for (const { name } of due) running.add(name)
    await flush()
    if (due.length === 0) return
    await Promise.all(due.map(checkAll))
    await flush()
  }

  return {
    start() {
      timer = setInterval(() => void step().catch(parts.onFault), stepMs)
      timer.unref()
    },
    step,
    async close() {
      if (timer !== null) clearInterval(timer)
      await flush(true)
    },
  }
}
