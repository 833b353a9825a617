/** The operator whose players' money is in our own database. */
export const HOUSE_OPERATOR = 'house';
