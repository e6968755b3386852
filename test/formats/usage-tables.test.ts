import { describe, expect, test } from 'bun:test'
import type { Units, Usage } from '../../src/domain/usage'
import { plausibleUsage } from '../../src/gateway/formats/plausible-usage'
import { readUsage } from '../../src/gateway/formats/chat/usage'
import { readEmbeddings } from '../../src/gateway/formats/embeddings/reply'
import { readGeminiUsage } from '../../src/gateway/formats/gemini/usage'
import { readImages } from '../../src/gateway/formats/images/reply'
import { readMessagesUsage } from '../../src/gateway/formats/messages/usage'
import { readRealtimeUsage, readTranscriptionUsage } from '../../src/gateway/formats/realtime/usage'
import { readResponsesUsage } from '../../src/gateway/formats/responses/usage'
import { normaliseReply } from '../../src/gateway/vendors/openai/normalise-reply'

/** One way in which a vendor counts, and the disjoint buckets that it comes to. */
type Row = readonly [how: string, raw: object, units: Units | null]

const tables: Readonly<
  Record<string, { readonly read: (raw: object) => Units | null; readonly rows: readonly Row[] }>
> = {
  chat: {
    read(usage) {
      const reply: Record<string, unknown> = { choices: [], usage }
      normaliseReply(reply)
      return readUsage(reply['usage'])?.units ?? null
    },
    rows: [
      ['nothing told', {}, null],
      ['counts that are none', { prompt_tokens: -1, completion_tokens: 1.5 }, null],
      ['plain', { prompt_tokens: 10, completion_tokens: 5 }, { input: 10, output: 5 }],
      ['one side alone', { completion_tokens: 5 }, { output: 5 }],
      [
        'what is kept for an hour apart from what is kept for minutes (LiteLLM)',
        {
          prompt_tokens: 100,
          completion_tokens: 5,
          prompt_tokens_details: {
            cached_tokens: 20,
            cache_creation_tokens: 50,
            cache_creation_token_details: {
              ephemeral_5m_input_tokens: 20,
              ephemeral_1h_input_tokens: 30,
            },
          },
        },
        { input: 30, cached_input: 20, cache_write_5m: 20, cache_write_1h: 30, output: 5 },
      ],
      [
        'more for an hour than was written at all',
        {
          prompt_tokens: 100,
          completion_tokens: 5,
          prompt_tokens_details: {
            cache_write_tokens: 50,
            cache_creation: { ephemeral_1h_input_tokens: 80 },
          },
        },
        { input: 50, cache_write_1h: 50, output: 5 },
      ],
      [
        'the whole prompt cached',
        { prompt_tokens: 60, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 60 } },
        { cached_input: 60, output: 5 },
      ],
      [
        'one token more cached than the prompt has: they stand beside it',
        { prompt_tokens: 60, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 61 } },
        { input: 60, cached_input: 61, output: 5 },
      ],
      [
        'cached beside a longer prompt, as the total tells',
        {
          prompt_tokens: 100,
          completion_tokens: 10,
          total_tokens: 170,
          prompt_tokens_details: { cached_tokens: 60 },
        },
        { input: 100, cached_input: 60, output: 10 },
      ],
      [
        'thoughts and cached tokens beside, as the total tells (Grok on Azure)',
        {
          prompt_tokens: 524,
          completion_tokens: 20,
          total_tokens: 825,
          prompt_tokens_details: { text_tokens: 524, audio_tokens: 0, cached_tokens: 169 },
          completion_tokens_details: { reasoning_tokens: 112 },
        },
        { input: 524, cached_input: 169, output: 132 },
      ],
      [
        'a prompt that its kinds fill, and no total: cached tokens stand beside it',
        {
          prompt_tokens: 524,
          completion_tokens: 132,
          prompt_tokens_details: { text_tokens: 500, image_tokens: 24, cached_tokens: 169 },
        },
        { input: 500, cached_input: 169, input_image: 24, output: 132 },
      ],
      [
        'a prompt that its kinds fill, and a total without the cached tokens: inside (xAI)',
        {
          prompt_tokens: 2640,
          completion_tokens: 182,
          total_tokens: 3494,
          prompt_tokens_details: { text_tokens: 2640, audio_tokens: 0, cached_tokens: 473 },
          completion_tokens_details: { reasoning_tokens: 672 },
        },
        { input: 2167, cached_input: 473, output: 854 },
      ],
      [
        'read and written in one call, and billed as both (OpenRouter)',
        {
          prompt_tokens: 2168,
          completion_tokens: 4,
          total_tokens: 2172,
          cost: 0.00025,
          cost_details: { upstream_inference_prompt_cost: 0.000247 },
          prompt_tokens_details: { cached_tokens: 2161, cache_write_tokens: 2161 },
        },
        { input: 7, cached_input: 2161, cache_write_5m: 2161, output: 4 },
      ],
      [
        'read and written in one call, without a bill',
        {
          prompt_tokens: 2168,
          completion_tokens: 4,
          prompt_tokens_details: { cached_tokens: 2161, cache_write_tokens: 2161 },
        },
        { cached_input: 2161, cache_write_5m: 7, output: 4 },
      ],
      [
        'the cache of Anthropic beside the prompt',
        {
          prompt_tokens: 86,
          completion_tokens: 5,
          cache_read_input_tokens: 5000,
          cache_creation_input_tokens: 700,
        },
        { input: 86, cached_input: 5000, cache_write_5m: 700, output: 5 },
      ],
      [
        'the same, read and written each shorter than the prompt',
        {
          prompt_tokens: 800,
          completion_tokens: 5,
          cache_read_input_tokens: 500,
          cache_creation_input_tokens: 700,
        },
        { input: 800, cached_input: 500, cache_write_5m: 700, output: 5 },
      ],
      [
        'the same, as the total tells, with zeros in the details',
        {
          prompt_tokens: 8000,
          completion_tokens: 5,
          total_tokens: 9205,
          prompt_tokens_details: { cached_tokens: 0 },
          cache_read_input_tokens: 500,
          cache_creation_input_tokens: 700,
        },
        { input: 8000, cached_input: 500, cache_write_5m: 700, output: 5 },
      ],
      [
        'the same names repeated beside the details: inside (LiteLLM)',
        {
          prompt_tokens: 5786,
          completion_tokens: 5,
          total_tokens: 5791,
          prompt_tokens_details: { cached_tokens: 5000, cache_creation_tokens: 700 },
          cache_read_input_tokens: 5000,
          cache_creation_input_tokens: 700,
        },
        { input: 86, cached_input: 5000, cache_write_5m: 700, output: 5 },
      ],
      [
        'a total and what came out',
        { completion_tokens: 5, total_tokens: 15 },
        { input: 10, output: 5 },
      ],
      [
        'cached tokens that are no count',
        { prompt_tokens: 10, completion_tokens: 5, prompt_tokens_details: { cached_tokens: -4 } },
        { input: 10, output: 5 },
      ],
      [
        'as many cached as thought, and a total that one of them explains: what was thought',
        {
          prompt_tokens: 100,
          completion_tokens: 10,
          total_tokens: 170,
          prompt_tokens_details: { cached_tokens: 60 },
          completion_tokens_details: { reasoning_tokens: 60 },
        },
        { input: 40, cached_input: 60, output: 70 },
      ],
      [
        'reasoning beside the answer, as the total tells',
        {
          prompt_tokens: 10,
          completion_tokens: 200,
          total_tokens: 310,
          completion_tokens_details: { reasoning_tokens: 100 },
        },
        { input: 10, output: 300 },
      ],
      [
        'more reasoning than answer, and no total',
        {
          prompt_tokens: 10,
          completion_tokens: 5,
          completion_tokens_details: { reasoning_tokens: 6 },
        },
        { input: 10, output: 11 },
      ],
      [
        'all of the answer is reasoning',
        {
          prompt_tokens: 10,
          completion_tokens: 5,
          completion_tokens_details: { reasoning_tokens: 5 },
        },
        { input: 10, output: 5 },
      ],
      [
        'sound on both sides',
        {
          prompt_tokens: 50,
          completion_tokens: 40,
          prompt_tokens_details: { audio_tokens: 30 },
          completion_tokens_details: { audio_tokens: 25 },
        },
        { input: 20, input_audio: 30, output: 15, output_audio: 25 },
      ],
      [
        'sound beside the prompt, as the total tells',
        {
          prompt_audio_seconds: 12,
          prompt_tokens: 3,
          total_tokens: 419,
          completion_tokens: 41,
          prompt_tokens_details: { cached_tokens: 0, audio_tokens: 375 },
        },
        { input: 3, input_audio: 375, output: 41 },
      ],
      [
        'sound beside the prompt, most of it cached, and its tokens not told',
        {
          prompt_audio_seconds: 5,
          prompt_tokens: 5,
          total_tokens: 404,
          completion_tokens: 24,
          prompt_tokens_details: { cached_tokens: 368 },
        },
        { input: 5, cached_input: 368, input_audio: 7, output: 24 },
      ],
      [
        'no sound in spite of a count of its seconds: unreported output',
        { prompt_audio_seconds: 0, prompt_tokens: 10, completion_tokens: 5, total_tokens: 25 },
        { input: 10, output: 15 },
      ],
      [
        'sound that was cached is paid once',
        {
          prompt_tokens: 50,
          completion_tokens: 1,
          prompt_tokens_details: { cached_tokens: 40, audio_tokens: 30 },
        },
        { input_audio: 10, cached_input: 40, output: 1 },
      ],
      [
        'written to a cache',
        {
          prompt_tokens: 50,
          completion_tokens: 1,
          prompt_tokens_details: { cached_tokens: 20, cache_write_tokens: 25 },
        },
        { input: 5, cached_input: 20, cache_write_5m: 25, output: 1 },
      ],
      [
        'written to a cache, in the words of a proxy',
        {
          prompt_tokens: 50,
          completion_tokens: 1,
          prompt_tokens_details: { cached_tokens: 20, cache_creation_tokens: 25 },
          cache_creation_input_tokens: 25,
        },
        { input: 5, cached_input: 20, cache_write_5m: 25, output: 1 },
      ],
      [
        'written to a cache, told beside the details alone',
        { prompt_tokens: 50, completion_tokens: 1, cache_creation_input_tokens: 50 },
        { cache_write_5m: 50, output: 1 },
      ],
      [
        'pictures on both sides',
        {
          prompt_tokens: 50,
          completion_tokens: 1300,
          prompt_tokens_details: { image_tokens: 30 },
          completion_tokens_details: { image_tokens: 1290 },
        },
        { input: 20, input_image: 30, output: 10, output_image: 1290 },
      ],
      [
        'films beside pictures',
        {
          prompt_tokens: 900,
          completion_tokens: 5,
          prompt_tokens_details: { text_tokens: 100, image_tokens: 300, video_tokens: 500 },
        },
        { input: 100, input_image: 800, output: 5 },
      ],
      [
        'more pictures and sound than there are tokens: none is paid twice',
        {
          prompt_tokens: 50,
          completion_tokens: 40,
          prompt_tokens_details: { cached_tokens: 20, audio_tokens: 10, image_tokens: 30 },
          completion_tokens_details: { audio_tokens: 30, image_tokens: 11 },
        },
        { cached_input: 20, input_audio: 10, input_image: 20, output_audio: 30, output_image: 10 },
      ],
      [
        'a searching vendor: reasoning beside the answer',
        {
          prompt_tokens: 33,
          completion_tokens: 7163,
          total_tokens: 7196,
          num_search_queries: 18,
          reasoning_tokens: 73_997,
        },
        { input: 33, output: 81_160, 'tool:web_search': 18 },
      ],
      [
        'a searching vendor: what it found is read as input, beside the prompt',
        {
          prompt_tokens: 33,
          completion_tokens: 7163,
          total_tokens: 7196,
          citation_tokens: 19_028,
          num_search_queries: 1,
          cost: { citation_tokens_cost: 0.038, search_queries_cost: 0.005, total_cost: 0.38 },
        },
        { input: 19_061, output: 7163, 'tool:web_search': 1 },
      ],
      [
        'a searching vendor that bills neither searches nor what they found',
        {
          prompt_tokens: 33,
          completion_tokens: 7,
          citation_tokens: 19_028,
          num_search_queries: 1,
          cost: { input_tokens_cost: 0.00003, request_cost: 0.005, total_cost: 0.006 },
        },
        { input: 33, output: 7 },
      ],
      [
        'no search, and citations that are no number',
        {
          prompt_tokens: 33,
          completion_tokens: 7,
          citation_tokens: -1,
          num_search_queries: 0,
        },
        { input: 33, output: 7 },
      ],
      [
        'cached tokens in a member of the vendor’s own',
        { prompt_tokens: 20, completion_tokens: 30, total_tokens: 50, cached_tokens: 10 },
        { input: 10, cached_input: 10, output: 30 },
      ],
    ],
  },
  gemini: {
    read: (raw) => readGeminiUsage(raw)?.units ?? null,
    rows: [
      ['nothing told', {}, null],
      [
        'thoughts beside the answer, and no total',
        { promptTokenCount: 10, candidatesTokenCount: 5, thoughtsTokenCount: 7 },
        { input: 10, output: 12 },
      ],
      [
        'thoughts alone, before the first word',
        { promptTokenCount: 10, thoughtsTokenCount: 7 },
        { input: 10, output: 7 },
      ],
      [
        'the whole prompt cached',
        { promptTokenCount: 10, cachedContentTokenCount: 10, candidatesTokenCount: 1 },
        { cached_input: 10, output: 1 },
      ],
      [
        'one token more cached than the prompt has',
        { promptTokenCount: 10, cachedContentTokenCount: 11, candidatesTokenCount: 1 },
        { cached_input: 11, output: 1 },
      ],
      [
        'results of tools are read too',
        { promptTokenCount: 10, toolUsePromptTokenCount: 4, candidatesTokenCount: 1 },
        { input: 14, output: 1 },
      ],
    ],
  },
  messages: {
    read: (raw) => readMessagesUsage(raw)?.units ?? null,
    rows: [
      ['nothing told', {}, null],
      [
        'cached and written beside the input',
        { input_tokens: 0, cache_read_input_tokens: 9, cache_creation_input_tokens: 8 },
        { cached_input: 9, cache_write_5m: 8 },
      ],
      [
        'all that was written stays for an hour',
        {
          input_tokens: 1,
          output_tokens: 1,
          cache_creation_input_tokens: 8,
          cache_creation: { ephemeral_1h_input_tokens: 8 },
        },
        { input: 1, cache_write_1h: 8, output: 1 },
      ],
      [
        'searches',
        { input_tokens: 1, output_tokens: 1, server_tool_use: { web_search_requests: 2 } },
        { input: 1, output: 1, 'tool:web_search': 2 },
      ],
      [
        'passes that made the conversation shorter, beside the sums; others are in them',
        {
          input_tokens: 23_000,
          output_tokens: 1000,
          iterations: [
            { type: 'compaction', input_tokens: 180_000, output_tokens: 3500 },
            { type: 'message', input_tokens: 23_000, output_tokens: 1000 },
            { type: 'fallback_message', input_tokens: 7, output_tokens: 7 },
            { type: 'advisor_message', input_tokens: 7, output_tokens: 7 },
            null,
          ],
        },
        { input: 203_000, output: 4500 },
      ],
      [
        'such passes by a cache',
        {
          input_tokens: 1,
          output_tokens: 1,
          cache_read_input_tokens: 2,
          iterations: [
            {
              type: 'compaction',
              input_tokens: 10,
              output_tokens: 20,
              cache_read_input_tokens: 30,
              cache_creation_input_tokens: 40,
              cache_creation: { ephemeral_1h_input_tokens: 15, ephemeral_5m_input_tokens: 25 },
            },
            { type: 'compaction', input_tokens: 100, output_tokens: -1 },
          ],
        },
        { input: 111, cached_input: 32, cache_write_5m: 25, cache_write_1h: 15, output: 21 },
      ],
    ],
  },
  responses: {
    read: (raw) => readResponsesUsage(raw)?.units ?? null,
    rows: [
      ['nothing told', {}, null],
      [
        'all of the input cached',
        { input_tokens: 9, output_tokens: 1, input_tokens_details: { cached_tokens: 9 } },
        { cached_input: 9, output: 1 },
      ],
      [
        'one token more cached than the input has: they stand beside it',
        { input_tokens: 9, output_tokens: 1, input_tokens_details: { cached_tokens: 10 } },
        { input: 9, cached_input: 10, output: 1 },
      ],
      [
        'cached beside a longer input, as the total tells',
        {
          input_tokens: 100,
          output_tokens: 10,
          total_tokens: 170,
          input_tokens_details: { cached_tokens: 60 },
        },
        { input: 100, cached_input: 60, output: 10 },
      ],
      [
        'all of the output is reasoning',
        { input_tokens: 9, output_tokens: 4, output_tokens_details: { reasoning_tokens: 4 } },
        { input: 9, output: 4 },
      ],
      [
        'one token more of reasoning than of output',
        { input_tokens: 9, output_tokens: 4, output_tokens_details: { reasoning_tokens: 5 } },
        { input: 9, output: 5 },
      ],
      [
        'a total beyond both',
        { input_tokens: 9, output_tokens: 4, total_tokens: 20 },
        { input: 9, output: 11 },
      ],
    ],
  },
  images: {
    read: (usage) =>
      readImages(JSON.stringify({ data: [{ b64_json: 'AA' }], usage })).usage?.units ?? null,
    rows: [
      ['nothing told', {}, null],
      [
        'pictures that were looked at',
        { input_tokens: 60, output_tokens: 100, input_tokens_details: { image_tokens: 50 } },
        { input: 10, input_image: 50, output_image: 100 },
      ],
      [
        'more of a kind than there is in all',
        {
          input_tokens: 60,
          output_tokens: 100,
          input_tokens_details: { image_tokens: 61 },
          output_tokens_details: { text_tokens: 101 },
        },
        { input_image: 60, output: 100 },
      ],
    ],
  },
  embeddings: {
    read(usage) {
      const data = [{ object: 'embedding', index: 0, embedding: [1] }]
      return readEmbeddings({ data, usage }, '').usage?.units ?? null
    },
    rows: [
      ['nothing told', {}, null],
      ['zeros tell nothing', { prompt_tokens: 0, total_tokens: 0 }, null],
      ['plain', { prompt_tokens: 7, total_tokens: 7 }, { input: 7 }],
      ['a total alone', { total_tokens: 7 }, { input: 7 }],
      [
        'a total beyond the prompt went in too',
        { prompt_tokens: 7, total_tokens: 9 },
        { input: 9 },
      ],
    ],
  },
  realtime: {
    read: (raw) => readRealtimeUsage(raw)?.units ?? null,
    rows: [
      ['nothing told', {}, null],
      ['no kinds', { input_tokens: 9, output_tokens: 3 }, { input: 9, output: 3 }],
      [
        'more of a kind than there is in all',
        {
          input_tokens: 9,
          output_tokens: 3,
          input_token_details: { text_tokens: 5, audio_tokens: 5 },
          output_token_details: { audio_tokens: 4 },
        },
        { input: 5, input_audio: 4, output_audio: 3 },
      ],
      [
        'cached, and not told of which kind: text first',
        {
          input_tokens: 9,
          output_tokens: 0,
          input_token_details: { text_tokens: 4, audio_tokens: 5, cached_tokens: 6 },
        },
        { cached_input: 4, cached_input_audio: 2, input_audio: 3 },
      ],
    ],
  },
  'realtime transcriptions': {
    read: readTranscriptionUsage,
    rows: [
      ['nothing told', {}, null],
      ['by time', { type: 'duration', seconds: 2.5 }, { audio_second: 2.5 }],
      ['time that is none', { type: 'duration', seconds: -1 }, null],
      [
        'all of the input is sound',
        { input_tokens: 7, output_tokens: 2, input_token_details: { audio_tokens: 8 } },
        { input_audio: 7, output: 2 },
      ],
    ],
  },
}

describe.each(Object.entries(tables))('usage of %s', (_, { read, rows }) => {
  test.each(rows)('%s', (_how, raw, units) => {
    expect(read(raw)).toEqual(units)
  })
})

describe('a vendor’s count of output', () => {
  const told = (output: number): Usage => ({
    units: { input: 10, output },
    reasoning: 0,
    estimated: false,
  })
  test.each([
    ['half of ours, midway', 50, false, 50],
    ['less than half of ours, midway', 49, false, 100],
    ['less than half of ours, at the end', 1, true, 1],
    ['nothing, at the end', 0, true, 100],
    ['more than ours', 101, false, 101],
  ])('%s', (_, output, over, charged) => {
    const usage = plausibleUsage(told(output), { counted: 100, over })
    expect(usage?.units).toEqual({ input: 10, output: charged })
    expect(usage?.estimated).toBe(output !== charged)
  })
})
