import type { Json } from '../support/mutations'

interface Valid {
  readonly path: string
  readonly body: { readonly [name: string]: Json }
}

const picture = 'data:image/png;base64,iVBORw0KGgo='
const schema = { type: 'object', properties: { a: { type: 'string' } } }

/** Bodies that use nearly everything that is looked at, by endpoint. */
export const validBodies: readonly Valid[] = [
  {
    path: '/chat/completions',
    body: {
      messages: [
        { role: 'system', content: 'be short' },
        {
          role: 'user',
          name: 'x',
          content: [
            { type: 'text', text: 'hi' },
            { type: 'image_url', image_url: { url: picture, detail: 'low' } },
            { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } },
            {
              type: 'file',
              file: { file_data: 'data:application/pdf;base64,AA==', filename: 'a' },
            },
          ],
        },
        {
          role: 'assistant',
          content: null,
          reasoning_content: 'hm',
          tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'c', content: 'done' },
      ],
      max_tokens: 10,
      max_completion_tokens: 10,
      n: 1,
      temperature: 1,
      top_p: 1,
      stop: ['x'],
      seed: 1,
      user: 'u',
      reasoning_effort: 'low',
      modalities: ['text'],
      logit_bias: { 1: 1 },
      metadata: { a: 'b' },
      stream_options: { include_usage: true },
      response_format: { type: 'json_schema', json_schema: { name: 'a', schema } },
      tools: [{ type: 'function', function: { name: 'f', description: 'd', parameters: schema } }],
      tool_choice: { type: 'function', function: { name: 'f' } },
      web_search_options: {
        search_context_size: 'low',
        user_location: { type: 'approximate', approximate: { city: 'Tehran' } },
        filters: { allowed_domains: ['a.ir'] },
        max_uses: 2,
      },
    },
  },
  {
    path: '/chat/completions',
    body: {
      messages: [
        { role: 'user', content: 'hi' },
        { role: 'assistant', content: 'x', function_call: { name: 'f', arguments: '{}' } },
        { role: 'function', name: 'f', content: 'done' },
      ],
      functions: [{ name: 'f', description: 'd', parameters: schema }],
      function_call: { name: 'f' },
      tool_choice: {
        type: 'allowed_tools',
        allowed_tools: { mode: 'auto', tools: [{ type: 'function', function: { name: 'f' } }] },
      },
    },
  },
  {
    path: '/messages',
    body: {
      max_tokens: 10,
      system: [{ type: 'text', text: 's', cache_control: { type: 'ephemeral' } }],
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'hi' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
            { type: 'image', source: { type: 'url', url: 'https://a.ir/a.png' } },
            {
              type: 'document',
              title: 't',
              source: { type: 'text', media_type: 'text/plain', data: 'x' },
            },
            {
              type: 'document',
              source: { type: 'content', content: [{ type: 'text', text: 'x' }] },
            },
            { type: 'document', source: { type: 'odd', media_type: 'x', data: 'x' } },
            {
              type: 'search_result',
              title: 't',
              source: 's',
              content: [{ type: 'text', text: 'x' }],
            },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'hm', signature: 's' },
            { type: 'tool_use', id: 'c', name: 'f', input: { a: 'b' } },
            {
              type: 'web_search_tool_result',
              tool_use_id: 'w',
              content: [{ encrypted_content: '' }],
            },
          ],
        },
        {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              tool_use_id: 'c',
              is_error: true,
              content: [
                { type: 'text', text: 'x' },
                { type: 'tool_reference', tool_name: 'f' },
              ],
            },
          ],
        },
        {
          role: 'system',
          content: [
            {
              type: 'tool_addition',
              tool: { name: 'g', definition: { name: 'g', input_schema: schema } },
            },
            { type: 'tool_removal', tool: { name: 'f' } },
          ],
        },
      ],
      tools: [
        { name: 'f', description: 'd', input_schema: schema, defer_loading: true },
        {
          type: 'web_search_20250305',
          name: 'web_search',
          max_uses: 2,
          user_location: { city: 'x' },
        },
      ],
      tool_choice: { type: 'tool', name: 'f', disable_parallel_tool_use: true },
      thinking: { type: 'enabled', budget_tokens: 2000 },
      output_config: { effort: 'low', format: { type: 'json_schema', schema } },
      stop_sequences: ['x'],
      metadata: { user_id: 'u' },
      context_management: { edits: [{ type: 'clear' }] },
    },
  },
  {
    path: '/responses',
    body: {
      instructions: 'be short',
      max_output_tokens: 20,
      reasoning: { effort: 'low', summary: 'auto' },
      text: { verbosity: 'low', format: { type: 'json_schema', name: 'a', schema, strict: true } },
      include: ['message.output_text.logprobs'],
      top_logprobs: 2,
      prompt_cache_key: 'k',
      metadata: { a: 'b' },
      store: false,
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'hi' },
            { type: 'input_image', image_url: picture, detail: 'low' },
            { type: 'input_file', file_data: 'data:application/pdf;base64,AA==', filename: 'a' },
            { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } },
          ],
        },
        { type: 'reasoning', id: 'r', summary: [{ type: 'summary_text', text: 'x' }], content: [] },
        {
          type: 'message',
          role: 'assistant',
          content: [
            { type: 'output_text', text: 'x' },
            { type: 'refusal', refusal: 'no' },
          ],
        },
        { type: 'function_call', call_id: 'c', name: 'f', namespace: 'n', arguments: '{}' },
        { type: 'function_call_output', call_id: 'c', output: [{ type: 'input_text', text: 'x' }] },
        { type: 'custom_tool_call', call_id: 'd', name: 'g', input: 'x' },
        { type: 'custom_tool_call_output', call_id: 'd', output: 'x' },
        {
          type: 'local_shell_call',
          call_id: 'e',
          id: 'l',
          action: { type: 'exec', command: ['ls'] },
          status: 'completed',
        },
        { type: 'local_shell_call_output', call_id: 'e', id: 'l', output: 'x' },
        {
          type: 'web_search_call',
          id: 'w',
          status: 'completed',
          action: { type: 'search', query: 'x' },
        },
        { type: 'tool_search_call', call_id: 's', execution: 'client', arguments: { query: 'x' } },
        {
          type: 'tool_search_output',
          call_id: 's',
          tools: [
            {
              type: 'namespace',
              name: 'm',
              tools: [{ type: 'function', name: 'h', parameters: schema }],
            },
            { type: 'function', name: 'i', parameters: schema },
          ],
        },
      ],
      tools: [
        { type: 'function', name: 'f', description: 'd', parameters: schema, strict: true },
        { type: 'custom', name: 'g', format: { type: 'grammar', syntax: 'lark', definition: 'x' } },
        {
          type: 'namespace',
          name: 'n',
          tools: [{ type: 'function', name: 'f', parameters: schema }],
        },
        { type: 'tool_search', execution: 'client' },
        {
          type: 'web_search',
          filters: { allowed_domains: ['a.ir'] },
          user_location: { city: 'x' },
        },
        { type: 'local_shell' },
      ],
      tool_choice: {
        type: 'allowed_tools',
        mode: 'auto',
        tools: [{ type: 'function', name: 'f' }],
      },
      parallel_tool_calls: true,
    },
  },
  {
    path: '/responses',
    body: {
      input: 'hi',
      tool_choice: { type: 'function', name: 'f' },
      tools: [{ type: 'function', name: 'f' }],
    },
  },
  ...['/responses', '/responses/compact'].map((path) => ({
    path,
    body: {
      input: [
        { role: 'user', content: [{ type: 'input_text', text: 'hi' }] },
        { type: 'compaction', id: 'cmp', encrypted_content: 'sealed.v1.AAAA' },
        { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
        { type: 'function_call_output', call_id: 'c', output: [{ type: 'input_text', text: 'x' }] },
        { type: 'compaction_trigger' },
      ],
      tools: [{ type: 'function', name: 'f' }],
      context_management: [{ type: 'compaction', compact_threshold: 10 }],
    },
  })),
  {
    path: '/completions',
    body: {
      prompt: 'hi',
      max_tokens: 10,
      n: 1,
      stop: ['x'],
      seed: 1,
      suffix: null,
      best_of: 1,
      logprobs: null,
      echo: false,
    },
  },
  {
    path: '/embeddings',
    body: { input: ['a', 'b'], dimensions: 8, encoding_format: 'float', user: 'u' },
  },
  { path: '/embeddings', body: { input: [[1, 2], [3]], dimensions: 8, encoding_format: 'base64' } },
  {
    path: '/moderations',
    body: {
      input: [
        { type: 'text', text: 'a' },
        { type: 'image_url', image_url: { url: picture } },
      ],
    },
  },
  {
    path: '/images/generations',
    body: {
      prompt: 'a cat',
      n: 1,
      size: '64x64',
      quality: 'low',
      background: 'opaque',
      output_format: 'png',
    },
  },
  {
    path: '/audio/speech',
    body: {
      input: 'a',
      voice: 'alloy',
      instructions: 'x',
      response_format: 'wav',
      speed: 1,
      stream_format: 'audio',
    },
  },
  { path: '/audio/music', body: { prompt: 'a', temperature: 1, seed: 1 } },
  {
    path: '/videos',
    body: { prompt: 'a', seconds: '4', size: '1280x720', input_reference: { image_url: picture } },
  },
]

export const textModels = ['plain', 'claude', 'gemini', 'sandbox/echo']
/** Models to put a body to, by its path. */
export const modelsAt: Readonly<Record<string, readonly string[]>> = {
  '/embeddings': ['sandbox/embed'],
  '/moderations': ['sandbox/moderate'],
  '/images/generations': ['sandbox/image'],
  '/audio/speech': ['sandbox/speak'],
  '/audio/music': ['sandbox/compose'],
  '/videos': ['sandbox/video'],
}
