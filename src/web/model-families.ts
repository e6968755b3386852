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
/** Name of a family of models. */
export type Family = (typeof families)[number]

/** Abilities that models are filtered by. */
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
