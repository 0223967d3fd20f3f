/* A dice tower or baffle box: two beams, six buttons, a lamp and a buzzer. ../PROTOCOL.md says what it says. */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/pgmspace.h>
#include <avr/sleep.h>
#include <avr/wdt.h>
#include <string.h>

#include "board.h"
#include "line.h"
#include "uart.h"

enum {
    QUIET_MS = 700,   /* two dice of one throw pass within this; the next throw is later */
    STUCK_MS = 2000,  /* a beam broken this long is blocked; it does not prolong the throw */
    DEBOUNCE_MS = 20, /* a button's contact must be steady this long */
    STATUS_MS = 30000,
};

static uint32_t broken_since[BEAMS], last_broken[BEAMS];
static uint8_t was_broken, in_throw, raw, held;
static uint32_t raw_since;

enum show { OFF, READY, REROLL, ILLEGAL, DOUBT };
static enum show showing;
static uint32_t show_since;

static void watch_beams(uint32_t now) {
    uint8_t broken = beams_broken();
    for (uint8_t i = 0; i < BEAMS; i++) {
        uint8_t bit = (uint8_t)_BV(i);
        if (broken & bit) {
            if (!(was_broken & bit)) {
                broken_since[i] = now;
                if (!(in_throw & bit))
                    event(THROW, i);
                in_throw |= bit;
            }
            if (now - broken_since[i] < STUCK_MS)
                last_broken[i] = now;
        } else if ((in_throw & bit) && now - last_broken[i] >= QUIET_MS) {
            in_throw &= (uint8_t)~bit;
        }
    }
    was_broken = broken;
}

static void watch_buttons(uint32_t now) {
    uint8_t down = buttons_down();
    if (down != raw) {
        raw = down;
        raw_since = now;
    } else if (raw != held && now - raw_since >= DEBOUNCE_MS) {
        uint8_t pressed = (uint8_t)(raw & ~held);
        held = raw;
        for (uint8_t i = 0; i < BUTTONS; i++)
            if (pressed & _BV(i))
                event(BUTTON, i);
    }
}

/* Whether that word is known. */
static uint8_t show(const char *what) {
    if (!strcmp_P(what, PSTR("ready")))
        showing = READY;
    else if (!strcmp_P(what, PSTR("reroll")))
        showing = REROLL;
    else if (!strcmp_P(what, PSTR("illegal")))
        showing = ILLEGAL;
    else if (!strcmp_P(what, PSTR("doubt")))
        showing = DOUBT;
    else if (!strcmp_P(what, PSTR("off")))
        showing = OFF;
    else
        return 0;
    show_since = now_ms();
    return 1;
}

static void shine(uint32_t now) {
    uint32_t t = now - show_since;
    switch (showing) {
    case READY:
        lamp(1);
        tone(0);
        break;
    case REROLL: /* two short tones, lamp with them */
        lamp(t < 400 && t / 100 % 2 == 0);
        tone(t < 400 && t / 100 % 2 == 0);
        break;
    case ILLEGAL: /* one long tone, then the lamp blinks fast */
        lamp(t / 100 % 2 == 0);
        tone(t < 900);
        break;
    case DOUBT:
        lamp(t / 600 % 2 == 0);
        tone(0);
        break;
    default:
        lamp(0);
        tone(0);
    }
}

int main(void) {
    MCUSR = 0; /* a watchdog reset leaves the watchdog on with its shortest time */
    wdt_disable();
    board_init();
    uart_init();
    line_init(count_boot());
    was_broken = beams_broken(); /* a beam blocked at power-on is no throw */
    in_throw = was_broken;
    raw = held = buttons_down();
    wdt_enable(WDTO_500MS);
    set_sleep_mode(SLEEP_MODE_IDLE);
    sei();
    uint32_t status_at = 0;
    for (;;) {
        if (!line_worn_out())
            wdt_reset(); /* worn out: the watchdog resets the box and a new boot begins */
        uint32_t now = now_ms();
        char *payload = line_receive();
        if (payload)
            line_answer(payload, show);
        watch_beams(now);
        watch_buttons(now);
        if (now - status_at >= STATUS_MS) {
            status_at = now;
            if (!line_waiting()) /* while nobody listens what happens at the table needs the room */
                event(STATUS, 0);
        }
        line_send();
        shine(now);
        sleep_mode(); /* until the next millisecond or byte */
    }
}
