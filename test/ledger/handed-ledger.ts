import { AdoptedCalls } from '../../src/ledger/adopted-calls'
import { answerOf, answersBy } from '../../src/ledger/handover'
import type { Hold, HoldRequest, Ledger } from '../../src/ledger/ledger'
import { openLedger, type LedgerParts } from '../../src/ledger/open-ledger'

/** Calls of one ledger whose money another decides about, as those of a process that leaves. */
export function openHandedLedger(parts: LedgerParts): Ledger {
  const serving = openLedger(parts)
  const leaving = openLedger({ ...parts, spool: null })
  const adopted = new AdoptedCalls(serving)
  const handed = leaving.follow(
    {
      ...answersBy((question, ...given) => answerOf(serving, question, ...given)),
      grow: adopted.grow.bind(adopted),
      lower: adopted.lower.bind(adopted),
      chargeable: adopted.chargeable.bind(adopted),
      hold: adopted.hold.bind(adopted),
      commit: adopted.commit.bind(adopted),
    },
    () => {},
  )
  /** What has ended is known there with its commit: a few milliseconds later. */
  const told = async () => {
    await handed
    await leaving.flush()
    if (serving.heldInAll() !== leaving.heldInAll())
      throw new Error(`${serving.heldInAll()} is held, and not ${leaving.heldInAll()}`)
  }
  return {
    ...leaving,
    ...answersBy(async (question, ...given) => {
      await told()
      return await answerOf(leaving, question, ...given)
    }),
    async hold(request: HoldRequest): Promise<Hold> {
      await told()
      return await leaving.hold(request)
    },
    async flush(durable = false) {
      await leaving.flush(durable)
      await serving.flush(durable)
    },
    refresh() {
      leaving.refresh()
      serving.refresh()
    },
    async close() {
      await leaving.close()
      await serving.close()
    },
  }
}
