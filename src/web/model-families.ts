/** Families of models, in the order that people look for them. */
export const families = [
  'chat',
  'image',
  'audio_tts',
  'audio_stt',
  'video',
  'music',
  'realtime',
  'embedding',
  'moderation',
] as const
export type Family = (typeof families)[number]

export const capabilities = [
  'vision',
  'tools',
  'reasoning',
  'json',
  'audio_input',
  'streaming',
  'realtime',
  'translation',
] as const
