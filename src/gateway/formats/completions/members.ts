import {
  omitted,
  ownHint,
  refusedAlways,
  translated,
  type RequestMembers,
  identityMembers,
  routingMembers,
} from '../request-members'

/**
 * Members of a request that completes a text.
 * @see openai/openai-node 7.59.0, `src/resources/completions.ts` (`CompletionCreateParams`)
 */
export const completionsMembers: RequestMembers = {
  ...routingMembers,
  ...identityMembers,
  model: translated(),
  prompt: translated('messages'),
  max_tokens: translated(),
  stream: translated(),
  stream_options: omitted('given'),
  // Made here, of the prompt.
  echo: ownHint('given'),
  temperature: translated(),
  top_p: translated(),
  n: translated(),
  stop: translated(),
  presence_penalty: translated(),
  frequency_penalty: translated(),
  seed: translated(),
  logit_bias: translated(),
  suffix: refusedAlways(''),
  best_of: refusedAlways(1, 0),
  logprobs: refusedAlways(0),
}
