import { reasoningEfforts } from '../../../domain/model'
import {
  omitted,
  own,
  ownHint,
  refusedAlways,
  translated,
  translatedParts,
  translatedWords,
  identityMembers,
  routingMembers,
  type RequestMembers,
} from '../request-members'

/** How long an answer's reasoning may be, and what is shown of it. @see `Reasoning` in `src/resources/shared.ts` */
const reasoning: RequestMembers = {
  effort: translatedWords('reasoning_effort', reasoningEfforts),
  // Thoughts are shown wherever a vendor shows them.
  summary: ownHint('given'),
  generate_summary: ownHint('given'),
  // Which earlier reasoning is read: all that the vendor takes.
  context: ownHint('hint'),
  mode: own('standard', 'auto'),
}

/**
 * Members of a request of the Responses format. `own` and `own-hint` pass to vendors of the format as they stand.
 * @see openai/openai-node 7.59.0, `src/resources/responses/responses.ts` (`ResponseCreateParams`)
 */
export const responsesMembers: RequestMembers = {
  ...routingMembers,
  ...identityMembers,
  model: translated(),
  input: translated('messages'),
  instructions: translated('messages'),
  stream: translated(),
  max_output_tokens: translated('max_tokens'),
  temperature: translated(),
  top_p: translated(),
  top_logprobs: translated(),
  // `message.output_text.logprobs`; what else it asks for is there, or is of tools of the vendor.
  include: translated('logprobs'),
  tools: translated(),
  tool_choice: translated(),
  parallel_tool_calls: translated(),
  max_tool_calls: translated(),
  reasoning: translatedParts(reasoning),
  text: translatedParts({
    format: translatedParts({
      type: translatedWords('response_format', ['text', 'json_object', 'json_schema']),
      name: translated('response_format'),
      description: translated('response_format'),
      schema: translated('response_format'),
      strict: translated('response_format'),
    }),
    verbosity: translated(),
  }),
  metadata: translated(),
  prompt_cache_key: translated(),
  prompt_cache_options: translated(),
  prompt_cache_retention: translated(),
  // Only its vendor has the answer that it names.
  previous_response_id: own(),
  truncation: own('disabled'),
  context_management: own([]),
  access_programs: own(),
  image: own({ context_compression: 'auto' }, { context_compression: 'disabled' }),
  // Vendors may keep answers where their operator lets them.
  store: ownHint('storage'),
  service_tier: omitted('price'),
  client_metadata: omitted('identity'),
  stream_options: omitted('given'),
  background: refusedAlways(false),
  background_options: refusedAlways({}),
  conversation: refusedAlways(),
  prompt: refusedAlways(),
  moderation: refusedAlways(),
}
