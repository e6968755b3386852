/** Calls, videos and realtime sessions: pages that come together, since they share most of their parts. */
export { CallPage } from '../pages/call'
export { LivePage } from '../pages/live'
export { RealtimeSessions } from '../pages/realtime-sessions'
export { VideoJobs } from '../pages/video-jobs'
