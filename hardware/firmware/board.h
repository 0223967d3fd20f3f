/* What is wired to which pin of the ATmega328P (Arduino Uno or Nano names in the README). */
#ifndef BOARD_H
#define BOARD_H

#include <stdint.h>

#ifndef BOX_ID
#define BOX_ID "dice-box"
#endif
#ifndef BOX_REST
#define BOX_REST "field" /* or "tray"; this firmware does not read dice, so never "inside" */
#endif

#ifndef BEAMS
#define BEAMS 2 /* near's mouth and far's; 1: one mouth for both, which cannot tell who throws */
#endif
enum { BUTTONS = 6 };

void board_init(void);

/* Milliseconds since reset; wraps after 49 days. */
uint32_t now_ms(void);

/* Bit i set: beam i (near's, far's; or the only one) is broken. High pin = broken, so a cut wire shows. */
uint8_t beams_broken(void);

/* Bit i set: button i is held down; in the order near, far, double, take, drop, director. */
uint8_t buttons_down(void);

void lamp(uint8_t on);
void tone(uint8_t on);

/* Resets so far; counts this one when first called. */
uint16_t count_boot(void);

#endif
