/** Types of models, as operations name them. */
export const modelTypes = [
  'chat',
  'embedding',
  'image',
  'audio_stt',
  'audio_tts',
  'video',
  'music',
  'moderation',
] as const
