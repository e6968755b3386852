import { isRefusedBy } from '../../business/operations/admin-error'
import type { CommonOptions } from '../kit/command'
import { isInteractive } from '../kit/output'
import type { RunOperation } from '../kit/place'
import type { AnyForm } from './field-options'

/** Runs operations; a refusal that may be overruled is asked about where a person can answer. */
export const confirmedAs =
  ({ confirm: asked }: AnyForm, run: RunOperation, { json }: CommonOptions): RunOperation =>
  async (row, sent) => {
    try {
      return await run(row, sent)
    } catch (thrown) {
      if (asked === undefined || !isRefusedBy(asked.code, thrown)) throw thrown
      if (json || !isInteractive()) throw thrown
      const { confirm } = await import('@clack/prompts')
      const message = asked.question(thrown.facts)
      if ((await confirm({ message, initialValue: false })) !== true) throw thrown
      return await run(row, { ...sent, body: { ...sent.body, [asked.field]: true } })
    }
  }
