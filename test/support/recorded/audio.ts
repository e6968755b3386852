/** What vendors answered to recordings, as it stood on the wire. */

const segment = (id: number, start: number, end: number, text: string) => ({
  id,
  seek: 0,
  start,
  end,
  text,
  tokens: [50_364, 440, 7534, 50_530],
  temperature: 0,
  avg_logprob: -0.28,
  compression_ratio: 1.13,
  no_speech_prob: 0.009,
})

/** whisper-1, `verbose_json`. */
export const whisper = {
  task: 'transcribe',
  language: 'english',
  duration: 8.470_000_267_028_809,
  text: 'The beach was a popular spot on a hot summer day. People were swimming in the ocean.',
  segments: [
    segment(0, 0, 3.319_999_933_242_798, ' The beach was a popular spot on a hot summer day.'),
    segment(1, 3.319_999_933_242_798, 7.809_999_942_779_541, ' People were swimming in the ocean.'),
  ],
  words: [
    { word: 'The', start: 0, end: 0.239_999_994_635_581_97 },
    { word: 'beach', start: 0.239_999_994_635_581_97, end: 0.5 },
  ],
  usage: { type: 'duration', seconds: 9 },
}

/** Groq's whisper, `verbose_json`: no usage, and a mark of its own. */
export const groqWhisper = {
  task: 'transcribe',
  language: 'English',
  duration: 36.71,
  text: ' A letter came.',
  segments: [segment(0, 0, 36.71, ' A letter came.')],
  x_groq: { id: 'req_01groq' },
}

/** gpt-4o-transcribe, `json`. */
export const tokens = {
  text: 'A letter came.',
  usage: {
    type: 'tokens',
    total_tokens: 45,
    input_tokens: 14,
    input_token_details: { text_tokens: 4, audio_tokens: 10 },
    output_tokens: 31,
  },
}

/** gpt-4o-transcribe-diarize, `diarized_json`. */
export const diarized = {
  task: 'transcribe',
  duration: 27.4,
  text: 'Agent: Thanks for calling.\nCaller: Hello.',
  segments: [
    {
      type: 'transcript.text.segment',
      id: 'seg_001',
      start: 0,
      end: 4.7,
      text: 'Thanks for calling.',
      speaker: 'agent',
    },
    {
      type: 'transcript.text.segment',
      id: 'seg_002',
      start: 4.7,
      end: 6,
      text: 'Hello.',
      speaker: 'A',
    },
  ],
  usage: { type: 'duration', seconds: 28 },
}

/** gpt-4o-transcribe, streamed. */
export const transcriptEvents = [
  { type: 'transcript.text.delta', delta: 'A letter', obfuscation: 'abc' },
  { type: 'transcript.text.delta', delta: ' came.', logprobs: [] },
  { type: 'transcript.text.done', text: 'A letter came.', usage: tokens.usage },
]

/** gemini-2.5-flash. @param text what the model says */
export const gemini = (text: string) => ({
  candidates: [{ content: { parts: [{ text }], role: 'model' }, finishReason: 'STOP', index: 0 }],
  usageMetadata: {
    promptTokenCount: 150,
    candidatesTokenCount: 12,
    totalTokenCount: 162,
    promptTokensDetails: [
      { modality: 'TEXT', tokenCount: 50 },
      { modality: 'AUDIO', tokenCount: 100 },
    ],
  },
  modelVersion: 'gemini-2.5-flash',
  responseId: 'abc',
})

/** scribe_v1. */
export const elevenLabs = {
  language_code: 'eng',
  language_probability: 0.98,
  text: 'Hello there. Good day!',
  words: [
    { text: 'Hello', start: 0.119, end: 0.4, type: 'word', speaker_id: 'speaker_0', logprob: 0 },
    { text: ' ', start: 0.4, end: 0.5, type: 'spacing', speaker_id: 'speaker_0', logprob: 0 },
    { text: 'there.', start: 0.5, end: 0.9, type: 'word', speaker_id: 'speaker_0', logprob: 0 },
    { text: ' ', start: 0.9, end: 1, type: 'spacing', speaker_id: 'speaker_1', logprob: 0 },
    { text: 'Good', start: 1, end: 1.25, type: 'word', speaker_id: 'speaker_1', logprob: 0 },
    { text: ' ', start: 1.25, end: 1.3, type: 'spacing', speaker_id: 'speaker_1', logprob: 0 },
    { text: 'day!', start: 1.3, end: 1.7, type: 'word', speaker_id: 'speaker_1', logprob: 0 },
  ],
}

/** nova-3. */
export const deepgram = {
  metadata: {
    transaction_key: 'deprecated',
    request_id: '4a1b',
    duration: 25.933_313,
    channels: 1,
    models: ['30089e05-99d1-4376-b32e-c263170674af'],
  },
  results: {
    channels: [
      {
        alternatives: [
          {
            transcript: 'Yep. I said it before.',
            confidence: 0.99,
            words: [
              { word: 'yep', start: 5.52, end: 6.02, confidence: 0.99, punctuated_word: 'Yep.' },
              { word: 'i', start: 7.095, end: 7.2, confidence: 0.99, punctuated_word: 'I' },
              { word: 'said', start: 7.2, end: 7.4, confidence: 0.99, punctuated_word: 'said' },
              { word: 'it', start: 7.4, end: 7.5, confidence: 0.99, punctuated_word: 'it' },
              { word: 'before', start: 7.5, end: 8, confidence: 0.9, punctuated_word: 'before.' },
            ],
          },
        ],
        detected_language: 'en',
        language_confidence: 0.97,
      },
    ],
  },
}
