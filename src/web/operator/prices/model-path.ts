/** Address of a model's page in the console: its id may hold slashes. */
export const modelDeskPath = (id: string): string =>
  `/operator/models/${id.split('/').map(encodeURIComponent).join('/')}`
