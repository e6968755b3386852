import type { Ms } from '../../domain/clock'
import type { VideoFault } from '../../domain/video-job'

/** A video as it is asked for, once it is known that the model makes such a one. */
export interface VideoOrder {
  readonly prompt: string
  /** A whole number. */
  readonly seconds: string
  /** `<width>x<height>`; null where the vendor chooses. */
  readonly size: string | null
  /** First frame. */
  readonly picture: VideoPicture | null
}

/** Picture that a video begins with. */
export interface VideoPicture {
  readonly mediaType: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** State of a job as a vendor reports it. */
export type ReportedVideo =
  | {
      readonly status: 'queued' | 'in_progress'
      /** Per cent; null where it does not tell. */
      readonly progress: number | null
    }
  | {
      readonly status: 'completed'
      /** Where the file lies; null where the vendor is asked for it by the job. */
      readonly url: string | null
      /** Until when the vendor keeps it; null where it does not tell. */
      readonly expires: Ms | null
    }
  | { readonly status: 'failed'; readonly fault: VideoFault }

/** Files of a finished video. */
export const videoVariants = ['video', 'thumbnail', 'spritesheet'] as const
export type VideoVariant = (typeof videoVariants)[number]
