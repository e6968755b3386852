import { reasoningEfforts } from '../../../domain/model'
import {
  own,
  omitted,
  ownHint,
  refusedAlways,
  translated,
  translatedParts,
  translatedWords,
  identityMembers,
  routingMembers,
  type RequestMembers,
} from '../request-members'

/** The form of an answer. */
const answerForm = translatedParts({
  type: translatedWords('response_format', ['json_schema']),
  schema: translated('response_format'),
})

/**
 * Members of a request of the Messages format. `own` and `own-hint` pass to vendors of the format as they stand.
 * @see anthropics/anthropic-sdk-typescript 1.14.0, `src/resources/messages/messages.ts` (`MessageCreateParams`) and
 *   its twin of the betas
 */
export const messagesMembers: RequestMembers = {
  ...routingMembers,
  ...identityMembers,
  model: translated(),
  max_tokens: translated(),
  messages: translated(),
  system: translated('messages'),
  stream: translated(),
  temperature: translated(),
  top_p: translated(),
  top_k: translated(),
  stop_sequences: translated('stop'),
  tools: translated(),
  tool_choice: translatedParts({
    type: translated('tool_choice'),
    name: translated('tool_choice'),
    disable_parallel_tool_use: translated('parallel_tool_calls'),
  }),
  // Tools by the names of servers that the vendor connects to.
  mcp_servers: own([]),
  thinking: translatedParts({
    type: translated('reasoning_effort'),
    budget_tokens: translated('reasoning_effort'),
    // Thoughts are shown wherever a vendor shows them.
    display: ownHint('given'),
    block_binding: ownHint('hint'),
  }),
  output_config: translatedParts({
    effort: translatedWords('reasoning_effort', reasoningEfforts),
    format: answerForm,
    // How long it may think is told to the model in words: it stays below its ceiling without.
    task_budget: ownHint('hint'),
  }),
  output_format: answerForm,
  cache_control: translated(),
  metadata: omitted('identity'),
  service_tier: omitted('price'),
  speed: omitted('price'),
  fallbacks: omitted('price'),
  fallback_credit_token: omitted('price'),
  billing_policy: omitted('price'),
  user_profile_id: omitted('identity'),
  workspace_id: omitted('identity'),
  betas: omitted('given'),
  // What the vendor takes out of a long conversation: clients send all of it again.
  context_management: ownHint('hint'),
  diagnostics: ownHint('hint'),
  container: refusedAlways(),
  thread: refusedAlways(),
  compaction: refusedAlways(),
  inference_geo: refusedAlways('global'),
}
