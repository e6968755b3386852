import type { GeminiStreamParts } from '../../formats/gemini/parse-stream'
import type { HubQuestion } from '../vendor'
import { refusalsFor } from './refusals'

/** Reading context of a reply in Google's format. */
export const reading = ({
  model,
  requestId,
  traits,
}: Pick<HubQuestion, 'model' | 'requestId' | 'traits'>): GeminiStreamParts => ({
  traits,
  callId: (choice, tool) => `call_${requestId.slice(-20)}${choice}${tool}`,
  ...refusalsFor(model),
})
