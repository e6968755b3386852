/** Where a model makes its answers. */
export const contentPath = (model: string, stream: boolean): string =>
  `/${model.includes('/') ? model : `models/${model}`}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`
