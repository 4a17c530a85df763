// The two channels between a window and its main process. Alone in this file: a preload script imports nothing else.
export const REQUEST = 'gatehouse:request';
export const PUSH = 'gatehouse:push';
