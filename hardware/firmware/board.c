#include "board.h"

#include <avr/eeprom.h>
#include <avr/interrupt.h>
#include <avr/io.h>
#include <util/atomic.h>

static volatile uint32_t ticks;
static uint16_t EEMEM boots;

ISR(TIMER0_COMPA_vect) { ticks++; }

void board_init(void) {
    /* D2, D3 beams; D4-D7 and B0, B1 buttons: inputs with pull-ups. B2 buzzer, B5 lamp: outputs. */
    DDRD &= (uint8_t)~0xFC;
    PORTD |= 0xFC;
    DDRB = (uint8_t)((DDRB & ~0x03) | _BV(PB2) | _BV(PB5));
    PORTB = (uint8_t)((PORTB | 0x03) & ~(_BV(PB2) | _BV(PB5)));
    /* Timer 0: one interrupt a millisecond (16 MHz / 64 / 250). */
    TCCR0A = _BV(WGM01);
    TCCR0B = _BV(CS01) | _BV(CS00);
    OCR0A = 249;
    TIMSK0 = _BV(OCIE0A);
    /* Timer 1 makes the tone on OC1B when connected: 2 kHz (16 MHz / 8 / 2 / 500). */
    TCCR1B = _BV(WGM12) | _BV(CS11);
    OCR1A = 499;
    OCR1B = 499;
}

uint32_t now_ms(void) {
    uint32_t t;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) { t = ticks; }
    return t;
}

uint8_t beams_broken(void) { return (PIND >> 2) & (uint8_t)(_BV(BEAMS) - 1); }

uint8_t buttons_down(void) { return (uint8_t)(((~PIND >> 4) & 0x0F) | ((~PINB & 0x03) << 4)); }

void lamp(uint8_t on) {
    if (on)
        PORTB |= _BV(PB5);
    else
        PORTB &= (uint8_t)~_BV(PB5);
}

void tone(uint8_t on) {
    if (on)
        TCCR1A = _BV(COM1B0);
    else
        TCCR1A = 0;
}

uint16_t count_boot(void) {
    uint16_t boot = eeprom_read_word(&boots);
    if (boot == 0xFFFF) /* a fresh EEPROM, or the count is full */
        boot = 0;
    boot++;
    eeprom_update_word(&boots, boot);
    return boot;
}
