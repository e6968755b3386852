/** Sides of a size such as `1536x1024`; null where the vendor chooses. */
export function sidesIn(size: string | null | undefined): { width: number; height: number } | null {
  const [, width, height] = /^(\d+)x(\d+)$/.exec(size ?? '') ?? []
  return width === undefined || height === undefined
    ? null
    : { width: Number(width), height: Number(height) }
}
