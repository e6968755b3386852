import { choiceEvents, done, sse, type Recording } from './recording'

const deepseekEvent = choiceEvents({
  id: '4d1a6c0e-7f2b-4a53-9d38-1b6f0c2e5a77',
  created: 1_763_600_200,
  model: 'deepseek-v4',
  system_fingerprint: 'fp_8802369eaa_prod0820',
})

const deepseek: Recording = {
  title: 'DeepSeek, reasoning, usage in the event that finishes',
  dialect: 'deepseek',
  events: [
    ': keep-alive\n\n',
    deepseekEvent({ role: 'assistant', content: null, reasoning_content: '' }),
    deepseekEvent({ content: null, reasoning_content: 'Two and' }),
    deepseekEvent({ content: null, reasoning_content: ' two.' }),
    ': keep-alive\n\n',
    deepseekEvent({ content: 'It is', reasoning_content: null }),
    deepseekEvent({ content: ' 4.', reasoning_content: null }),
    deepseekEvent({ content: '', reasoning_content: null }, 'stop', {
      choice: { logprobs: null },
      chunk: {
        usage: {
          prompt_tokens: 150,
          completion_tokens: 22,
          total_tokens: 172,
          prompt_tokens_details: { cached_tokens: 128 },
          completion_tokens_details: { reasoning_tokens: 15 },
          prompt_cache_hit_tokens: 128,
          prompt_cache_miss_tokens: 22,
        },
      },
    }),
    done,
  ],
  says: {
    text: 'It is 4.',
    reasoning: 'Two and two.',
    finish: 'stop',
    usage: { prompt: 150, completion: 22, cached: 128, reasoning: 15 },
  },
}

const mistralEvent = choiceEvents({
  id: 'b4c1f6d7a8e94f0fae2f5ad0d1c6e3b2',
  created: 1_763_600_300,
  model: 'mistral-medium-2603',
})

const mistralTools: Recording = {
  title: 'Mistral, calls without index and type',
  dialect: 'mistral',
  events: [
    mistralEvent({ role: 'assistant', content: '' }),
    mistralEvent(
      {
        tool_calls: [
          { id: 'gSIMJiOkT', function: { name: 'weather', arguments: '{"city": "Shiraz"}' } },
          { id: 'k2PqWz8Lb', function: { name: 'clock', arguments: '{}' } },
        ],
      },
      'tool_calls',
      { chunk: { usage: { prompt_tokens: 124, total_tokens: 146, completion_tokens: 22 } } },
    ),
    done,
  ],
  says: {
    text: '',
    calls: [
      { name: 'weather', arguments: '{"city": "Shiraz"}' },
      { name: 'clock', arguments: '{}' },
    ],
    finish: 'tool_calls',
    usage: { prompt: 124, completion: 22, cached: 0, reasoning: 0 },
  },
}

const thinking = (text: string) => ({
  content: [{ type: 'thinking', thinking: [{ type: 'text', text }] }],
})

const mistralThinking: Recording = {
  title: 'Mistral, thinking among the parts of the content',
  dialect: 'mistral',
  events: [
    mistralEvent({ role: 'assistant', content: '' }),
    mistralEvent(thinking('Let me')),
    mistralEvent(thinking(' see.')),
    mistralEvent({ content: [{ type: 'text', text: 'Blue' }] }),
    mistralEvent({ content: ' sky' }),
    mistralEvent({ content: '' }, 'model_length', {
      chunk: {
        usage: {
          prompt_tokens: 20,
          completion_tokens: 9,
          total_tokens: 29,
          num_cached_tokens: 16,
        },
      },
    }),
    done,
  ],
  says: {
    text: 'Blue sky',
    reasoning: 'Let me see.',
    finish: 'length',
    usage: { prompt: 20, completion: 9, cached: 16, reasoning: 0 },
  },
}

const groqEvent = choiceEvents({
  id: 'chatcmpl-2f5b8e1c-9a34-4f77-8c55-0d6e7a1b2c3d',
  created: 1_763_600_400,
  model: 'openai/gpt-oss-120b',
  system_fingerprint: 'fp_44f4ea01f3',
})

const groqUsage = {
  queue_time: 0.0215,
  prompt_tokens: 73,
  prompt_time: 0.0031,
  completion_tokens: 31,
  completion_time: 0.0574,
  total_tokens: 104,
  total_time: 0.0605,
}

const groq: Recording = {
  title: 'Groq, usage in its own field, reasoning by another name',
  dialect: 'groq',
  events: [
    groqEvent({ role: 'assistant', content: '' }, null, {
      choice: { logprobs: null },
      chunk: { x_groq: { id: 'req_01kaf5vendorsown', seed: 1_234_567 } },
    }),
    groqEvent({ reasoning: 'Short', channel: 'analysis' }, null, { choice: { logprobs: null } }),
    groqEvent({ reasoning: ' answer.', channel: 'analysis' }, null, { choice: { logprobs: null } }),
    groqEvent({ content: 'Fast' }, null, { choice: { logprobs: null } }),
    groqEvent({ content: '.' }, null, { choice: { logprobs: null } }),
    groqEvent({}, 'stop', {
      choice: { logprobs: null },
      chunk: { x_groq: { id: 'req_01kaf5vendorsown', usage: groqUsage } },
    }),
    done,
  ],
  says: {
    text: 'Fast.',
    reasoning: 'Short answer.',
    finish: 'stop',
    usage: { prompt: 73, completion: 31, cached: 0, reasoning: 0 },
  },
}

const qwenEnvelope = {
  id: 'chatcmpl-7c1f0a5e-6b8d-9e2f-a3c4-5d6e7f809a1b',
  created: 1_763_600_500,
  model: 'qwen3.5-plus',
  object: 'chat.completion.chunk',
}
const qwenEvent = choiceEvents({ ...qwenEnvelope, system_fingerprint: null, usage: null })

const qwen: Recording = {
  title: 'Qwen, whose later tool deltas have an empty id',
  dialect: 'alibaba',
  events: [
    qwenEvent({ role: 'assistant', content: null, reasoning_content: 'I ask.' }),
    qwenEvent({
      content: null,
      tool_calls: [
        {
          index: 0,
          id: 'call_8f3e2d1c0b9a',
          type: 'function',
          function: { name: 'weather', arguments: '{"city"' },
        },
      ],
    }),
    qwenEvent({
      tool_calls: [
        { index: 0, id: '', type: 'function', function: { name: '', arguments: ': "Yazd"}' } },
      ],
    }),
    qwenEvent({ content: '' }, 'tool_calls'),
    sse({
      ...qwenEnvelope,
      choices: [],
      usage: {
        prompt_tokens: 205,
        completion_tokens: 46,
        total_tokens: 251,
        prompt_tokens_details: { cached_tokens: 0 },
        completion_tokens_details: { reasoning_tokens: 20 },
      },
    }),
    done,
  ],
  says: {
    text: '',
    reasoning: 'I ask.',
    calls: [{ name: 'weather', arguments: '{"city": "Yazd"}' }],
    finish: 'tool_calls',
    usage: { prompt: 205, completion: 46, cached: 0, reasoning: 20 },
  },
}

const moonshotEvent = choiceEvents({
  id: 'chatcmpl-6923fe1ab0cd',
  created: 1_763_600_600,
  model: 'kimi-k3',
  system_fingerprint: 'fpv0_ff52a3ef',
})

const moonshot: Recording = {
  title: 'Moonshot, usage inside the choice that finishes',
  dialect: 'moonshot',
  events: [
    moonshotEvent({ role: 'assistant', content: '' }),
    moonshotEvent({ reasoning_content: 'Hm.' }),
    moonshotEvent({ content: 'Done' }),
    moonshotEvent({}, 'stop', {
      choice: {
        usage: {
          prompt_tokens: 64,
          completion_tokens: 12,
          total_tokens: 76,
          cached_tokens: 32,
        },
      },
    }),
    done,
  ],
  says: {
    text: 'Done',
    reasoning: 'Hm.',
    finish: 'stop',
    usage: { prompt: 64, completion: 12, cached: 32, reasoning: 0 },
  },
}

const routerEvent = choiceEvents({
  id: 'gen-1763600700-AbCdEf',
  provider: 'Some Provider',
  created: 1_763_600_700,
  model: 'vendor/some-model',
})

const openrouter: Recording = {
  title: 'OpenRouter, comments before the answer and a cost of its own',
  dialect: 'openrouter',
  events: [
    ': OPENROUTER PROCESSING\n\n',
    ': OPENROUTER PROCESSING\n\n',
    routerEvent({ role: 'assistant', content: '' }, null, { choice: { logprobs: null } }),
    routerEvent({ role: 'assistant', content: 'Routed' }),
    routerEvent({ role: 'assistant', content: '' }, 'stop', {
      choice: { native_finish_reason: 'end_turn' },
    }),
    routerEvent({ role: 'assistant', content: '' }, null, {
      chunk: {
        usage: {
          prompt_tokens: 8,
          completion_tokens: 2,
          total_tokens: 10,
          cost: 0.000042,
          prompt_tokens_details: { cached_tokens: 0 },
        },
      },
    }),
    done,
  ],
  says: {
    text: 'Routed',
    finish: 'stop',
    usage: { prompt: 8, completion: 2, cached: 0, reasoning: 0 },
  },
}

/** Vendors that speak the reference format with an accent. */
export const compatibleRecordings: readonly Recording[] = [
  deepseek,
  mistralTools,
  mistralThinking,
  groq,
  qwen,
  moonshot,
  openrouter,
]
