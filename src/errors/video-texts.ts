import type { VideoFault } from '../domain/video-job'
import type { Language } from './gateway-error'

/** Why a video was not made, for people; its money is back in each case. */
const texts: Readonly<Record<Language, Readonly<Record<VideoFault, string>>>> = {
  en: {
    content_policy: 'The vendor will not make this video by its rules. The cost was returned.',
    video_failed: 'The vendor could not make this video. The cost was returned.',
    video_lost: 'The vendor knows nothing of this video any more. The cost was returned.',
    video_timeout: 'This video was not made in time. The cost was returned.',
    creation_lost:
      'The service stopped while this video was being ordered. Nothing was charged; ask for it again.',
  },
  fa: {
    content_policy: 'سازندهٔ مدل این ویدئو را خلاف قواعد خود می‌داند. هزینه برگشت داده شد.',
    video_failed: 'سازندهٔ مدل نتوانست این ویدئو را بسازد. هزینه برگشت داده شد.',
    video_lost: 'سازندهٔ مدل دیگر از این ویدئو خبری ندارد. هزینه برگشت داده شد.',
    video_timeout: 'این ویدئو در زمان مقرر ساخته نشد. هزینه برگشت داده شد.',
    creation_lost:
      'سرویس هنگام سفارش این ویدئو متوقف شد. چیزی از حساب کم نشد؛ دوباره درخواست دهید.',
  },
}

/** Text of a video's fault. */
export const videoText = (fault: VideoFault, language: Language): string => texts[language][fault]
