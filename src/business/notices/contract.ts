import type { Ms } from '../../domain/clock'
import type { NoticeId } from '../../domain/ids'
import type { DueNotice, Notice } from '../../domain/notice'

/** One notice on one channel. */
export interface Delivery {
  readonly notice: Notice
  readonly channel: string
  /** Attempts that failed. */
  readonly attempts: number
}

export interface DeliveryState {
  readonly channel: string
  readonly state: 'pending' | 'delivered' | 'failed'
  readonly attempts: number
  /** When it is tried next; when it ended, once it is not pending. */
  readonly due: Ms
  readonly error: string | null
}

/** The outbox. Who charges adds to it, in the transaction of the charge. */
export interface NoticeStore {
  /** Adds what is not of a charge; nobody is told twice of the same in the same period. */
  add(due: DueNotice): Promise<void>
  /** Notices due now on a channel, oldest first. @param latest due times behind it are of a clock set back since */
  due(channel: string, now: Ms, latest: Ms, most: number): Promise<readonly Delivery[]>
  /** When the next one of a channel is due; null when none is pending. */
  nextDue(channel: string): Promise<Ms | null>
  delivered(notice: NoticeId, channel: string, now: Ms): Promise<void>
  /** It did not arrive, and is tried again at `next`. */
  postpone(notice: NoticeId, channel: string, next: Ms, error: string): Promise<void>
  /** It did not arrive, and is not tried again. */
  giveUp(notice: NoticeId, channel: string, now: Ms, error: string): Promise<void>
  /**
   * Removes the oldest of those from before this moment, at most so many. One that still keeps its
   * cap or floor from being told again stays: a cap without an end, a balance that is still below.
   * @returns how many
   */
  forget(before: Ms, most: number): Promise<number>
  /**
   * Tries again, at once and as if for the first time, on every channel that gave up.
   * @returns those channels
   */
  retry(notice: NoticeId, now: Ms): Promise<readonly string[]>
  /** Puts a sample into the outbox, in the place of any other. */
  putSample(sample: DueNotice): Promise<void>
  removeSamples(): Promise<void>
  /** Newest first. */
  list(filter: {
    readonly pending: boolean
    /** Only those that some channel did not carry, and does not try again. */
    readonly failed?: boolean
    /** Only older ones; with the newest unless told. */
    readonly before?: NoticeId | null
    readonly most: number
  }): Promise<
    readonly {
      readonly notice: Notice
      readonly deliveries: readonly DeliveryState[]
    }[]
  >
}
