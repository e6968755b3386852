/** What stands where a first screen will: the page as the server sent it has the same. */
export const waiting = <div className="waiting" aria-hidden="true" />
