import type { faOperatorService } from './fa-service'

export const enOperatorService: typeof faOperatorService = {
  trail: {
    title: 'Trail',
    lead: 'Who changed what, and when; as it was and as it is.',
    subject: 'What',
    who: 'Who',
    none: 'No change',
    noneLead: 'Nothing on record matches this search.',
    undo: 'Undo',
    undoTitle: 'Undo the change',
    undoLead: 'The values go back to what they were; the trail keeps this too.',
    was: 'before',
    is: 'after',
  },
}
