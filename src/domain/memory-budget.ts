import { totalmem } from 'node:os'

/**
 * Memory that the large buffers of all calls share. A buffer's first megabyte is free: it is what
 * nearly every call stays below, and it is bounded by the number of calls.
 */
export interface MemoryBudget {
  readonly maxBytes: number
  reservedBytes(): number
  /** A lease of nothing, to be resized as its buffer grows. */
  lease(): MemoryLease
}

/** The share of one buffer. */
export interface MemoryLease {
  /**
   * Tells how large the buffer is about to be; it never shrinks but by `release`.
   * @throws MemoryBudgetExceeded and keeps what it had
   */
  grow(bytes: number): void
  /** Gives everything back; it may grow again. */
  release(): void
}

/** All calls together buffer as much as they may. */
export class MemoryBudgetExceeded extends Error {
  constructor(maxBytes: number) {
    super(`the buffers of all calls fill their ${maxBytes} bytes of memory`)
    this.name = 'MemoryBudgetExceeded'
  }
}

/** Below this a buffer need not ask. */
export const freeBytes = 1_048_576
/** Reserved at a time, so that a buffer that grows by every packet seldom asks. */
const stepBytes = 1_048_576

/** @param onFreed called with the bytes that a buffer gave back */
export function openMemoryBudget(
  maxBytes: number,
  onFreed: (bytes: number) => void = () => {},
): MemoryBudget {
  let reserved = 0
  return {
    maxBytes,
    reservedBytes: () => reserved,
    lease() {
      let mine = 0
      return {
        grow(bytes) {
          if (bytes <= freeBytes + mine) return
          const more = Math.ceil((bytes - freeBytes) / stepBytes) * stepBytes - mine
          if (reserved + more > maxBytes) throw new MemoryBudgetExceeded(maxBytes)
          reserved += more
          mine += more
        },
        release() {
          reserved -= mine
          if (mine > 0) onFreed(mine)
          mine = 0
        },
      }
    },
  }
}

/** Memory of the machine, or of the container that the process runs in. */
export function availableBytes(machine = totalmem(), container = process.constrainedMemory()) {
  return container > 0 ? Math.min(machine, container) : machine
}

const collectAfterBytes = 67_108_864
let freed = 0

/**
 * Runs the garbage collector once so many bytes were given back: no budget counts what large buffers leave, and the
 * collector came by itself when half a gigabyte lay there. A run beside the event loop (`Bun.gc(false)`) freed a third of it.
 */
function collectFreed(bytes: number): void {
  freed += bytes
  if (freed < collectAfterBytes) return
  freed = 0
  setImmediate(() => Bun.gc(true))
}

/** Budget of this process's buffers: memory is shared by all that runs in it. */
export const bufferMemory: MemoryBudget = openMemoryBudget(
  Math.floor(availableBytes() / 4),
  collectFreed,
)
