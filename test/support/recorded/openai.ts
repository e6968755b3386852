import { choiceEvents, done, sse, type Recording } from './recording'

const envelope = {
  id: 'chatcmpl-DAyK3cVw0nq8Zt1Yp5sLxQ7uBfHgJ',
  object: 'chat.completion.chunk',
  created: 1_763_600_000,
  model: 'gpt-5.4-mini-2026-03-17',
  service_tier: 'default',
  system_fingerprint: 'fp_a3b1c9d2e4',
}

/** Every event but the last carries `usage: null`; the obfuscation pads events to one length. */
const event = (
  delta: object,
  finish: string | null = null,
  logprobs: object | null = null,
): string =>
  sse({
    ...envelope,
    choices: [{ index: 0, delta, logprobs, finish_reason: finish }],
    usage: null,
    obfuscation: 'sK3vQ9x',
  })

const usage = (prompt: number, completion: number, cached: number, reasoning: number): string =>
  sse({
    ...envelope,
    choices: [],
    usage: {
      prompt_tokens: prompt,
      completion_tokens: completion,
      total_tokens: prompt + completion,
      prompt_tokens_details: { cached_tokens: cached, audio_tokens: 0 },
      completion_tokens_details: {
        reasoning_tokens: reasoning,
        audio_tokens: 0,
        accepted_prediction_tokens: 0,
        rejected_prediction_tokens: 0,
      },
    },
    obfuscation: '',
  })

const text: Recording = {
  title: 'OpenAI, text',
  dialect: 'openai',
  events: [
    event({ role: 'assistant', content: '', refusal: null }),
    ...['سلام', '!', ' How', ' can', ' I', ' help', '؟ 🌍'].map((content) => event({ content })),
    event({}, 'stop'),
    usage(1037, 64, 896, 40),
    done,
  ],
  says: {
    text: 'سلام! How can I help؟ 🌍',
    finish: 'stop',
    usage: { prompt: 1037, completion: 64, cached: 896, reasoning: 40 },
  },
}

const token = (content: string, logprob: number) => ({
  content: [{ token: content, logprob, bytes: [...Buffer.from(content)], top_logprobs: [] }],
  refusal: null,
})

const logprobs: Recording = {
  title: 'OpenAI, text with log probabilities',
  dialect: 'openai',
  events: [
    event({ role: 'assistant', content: '', refusal: null }, null, { content: [], refusal: null }),
    event({ content: 'Yes' }, null, token('Yes', -0.0123)),
    event({ content: '.' }, null, token('.', -0.25)),
    event({}, 'stop'),
    usage(12, 3, 0, 0),
    done,
  ],
  says: {
    text: 'Yes.',
    finish: 'stop',
    usage: { prompt: 12, completion: 3, cached: 0, reasoning: 0 },
  },
}

const begin = (index: number, id: string, name: string) =>
  event({
    tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }],
  })
const more = (index: number, text_: string) =>
  event({ tool_calls: [{ index, function: { arguments: text_ } }] })

const tools: Recording = {
  title: 'OpenAI, two calls whose arguments interleave',
  dialect: 'openai',
  events: [
    event({ role: 'assistant', content: null, refusal: null }),
    begin(0, 'call_H1yUqg8zT0aK', 'weather'),
    more(0, '{"ci'),
    begin(1, 'call_P9wXm2rB7cLd', 'clock'),
    more(1, '{"zone":'),
    more(0, 'ty":"تهران"}'),
    more(1, '"Asia/Tehran"}'),
    event({}, 'tool_calls'),
    usage(88, 41, 0, 0),
    done,
  ],
  says: {
    text: '',
    calls: [
      { name: 'weather', arguments: '{"city":"تهران"}' },
      { name: 'clock', arguments: '{"zone":"Asia/Tehran"}' },
    ],
    finish: 'tool_calls',
    usage: { prompt: 88, completion: 41, cached: 0, reasoning: 0 },
  },
}

const filtered = choiceEvents({
  id: 'chatcmpl-azure-CbX2',
  created: 1_763_600_100,
  model: 'gpt-4o-2024-11-20',
  system_fingerprint: 'fp_ee1d74bde0',
})
const verdict = {
  hate: { filtered: false, severity: 'safe' },
  violence: { filtered: false, severity: 'safe' },
}

const azure: Recording = {
  title: 'Azure, whose first event has no choice, no id and no object',
  dialect: 'azure',
  events: [
    sse({
      choices: [],
      created: 0,
      id: '',
      model: '',
      object: '',
      prompt_filter_results: [{ prompt_index: 0, content_filter_results: verdict }],
    }),
    filtered({ role: 'assistant', content: '', refusal: null }),
    ...['Good', ' day'].map((content) =>
      filtered({ content }, null, { choice: { content_filter_results: verdict, logprobs: null } }),
    ),
    filtered({}, 'stop', { choice: { content_filter_results: {} } }),
    sse({
      choices: [],
      created: 1_763_600_100,
      id: 'chatcmpl-azure-CbX2',
      model: 'gpt-4o-2024-11-20',
      object: 'chat.completion.chunk',
      usage: { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 },
    }),
    done,
  ],
  says: {
    text: 'Good day',
    finish: 'stop',
    usage: { prompt: 9, completion: 3, cached: 0, reasoning: 0 },
  },
}

/** OpenAI's own format and that of Azure, which runs the same models. */
export const openaiRecordings: readonly Recording[] = [text, logprobs, tools, azure]
