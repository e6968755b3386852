import { systemMonotonic, ticksAfter, type Ms } from '../../domain/clock'
import { systemNoticeId } from '../../domain/ids'
import { sampleNotice } from '../notices/sample'
import type { DeliveryState, NoticeStore } from '../notices/contract'

/** How a channel took the sample. */
export interface TriedChannel {
  readonly channel: string
  readonly ok: boolean
  readonly error: string | null
}

interface SampleParts {
  readonly notices: NoticeStore
  /** By name. */
  readonly channels: readonly string[]
  readonly now: Ms
  /** Has the gateway that serves send what waits in the outbox. */
  wake(): Promise<unknown>
}

/** Less than a client waits for an answer. */
const maxMs = 45_000
const pollMs = 50
/** The sample is among these, whatever else is told meanwhile. */
const newest = 20

/** Sends a sample by the outbox of the gateway that serves, and waits for its channels. */
export async function trySample({
  notices,
  channels,
  now,
  wake,
}: SampleParts): Promise<readonly TriedChannel[]> {
  const notice = sampleNotice(systemNoticeId(), now)
  await notices.putSample({ notice, channels })
  try {
    const until = ticksAfter(systemMonotonic.ticks(), maxMs)
    for (;;) {
      await wake()
      const sent = (await notices.list({ pending: false, most: newest })).find(
        (each) => each.notice.id === notice.id,
      )
      const tried = channels.map((channel) => triedOf(channel, sent?.deliveries ?? []))
      if (tried.every(isOver) || systemMonotonic.ticks() > until) return tried
      await Bun.sleep(pollMs)
    }
  } finally {
    await notices.removeSamples()
  }
}

const untried = 'the gateway has not tried it in time'

const isOver = ({ error }: TriedChannel): boolean => error !== untried

function triedOf(channel: string, deliveries: readonly DeliveryState[]): TriedChannel {
  const delivery = deliveries.find((each) => each.channel === channel)
  const ok = delivery?.state === 'delivered'
  return { channel, ok, error: ok ? null : (delivery?.error ?? untried) }
}
