/** Why a request is refused whose id is taken. */
export const duplicateIdReason = 'Invalid request: a request with this id is being answered';
