/* Lines of PROTOCOL.md: framing both ways and the queue of events that wait for their acknowledgement. */
#ifndef LINE_H
#define LINE_H

#include <stdint.h>

enum { LINE = 64 };

enum kind { THROW, BUTTON, STATUS };

void line_init(uint16_t boot);

/* Notes an event that happened now; `value` is the beam or the button. */
void event(enum kind kind, uint8_t value);

/* Sends the oldest event when it is due, and HELLO or WHAT when asked for. Call in every turn of the main loop. */
void line_send(void);

/* Takes received bytes; returns the payload of a sound line as words in place, or 0. Good until the next call. */
char *line_receive(void);

/* Answers a host's message; `show` is called with what SHOW names and says whether it knows that. */
void line_answer(char *payload, uint8_t (*show)(const char *what));

/* How many events wait for their acknowledgement. */
uint8_t line_waiting(void);

/* The event counter is full: the box must reset itself. */
uint8_t line_worn_out(void);

#endif
