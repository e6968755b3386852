import { audioFields, audioForm, transcribe as reference } from '../openai/transcribe'
import type { TranscribeAbility } from '../vendor'

/** The length as measured: the sandbox has no ears. */
export const measuredField = 'sandbox_seconds'

/** The reference's form, with the length beside it. */
export const transcribe: TranscribeAbility = {
  ...reference,
  request(question, target) {
    const seconds = question.file.seconds ?? 0
    return audioForm(question, [
      ...audioFields(question, target),
      [measuredField, seconds.toFixed(3)],
    ])
  },
}
