#include "line.h"

#include <avr/pgmspace.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <util/crc16.h>

#include "board.h"
#include "uart.h"

enum { KEPT = 8, REPEAT_MS = 100, LINE_MS = 10 };

struct waiting {
    uint32_t at;
    uint16_t seq;
    uint8_t kind, value;
};

static struct waiting queue[KEPT];
static uint8_t first, count, sent, say_hello;
static uint32_t sent_at, line_at;
static uint16_t boot, seq, repeats, errors, lost;
static char in[LINE], what[13];
static uint8_t in_length, in_line;

static const char names[][9] PROGMEM = {"near", "far", "double", "take", "drop", "director"};

static void bump(uint16_t *counter) {
    if (*counter != 0xFFFF)
        (*counter)++;
}

void line_init(uint16_t this_boot) {
    boot = this_boot;
    say_hello = 1;
}

void event(enum kind kind, uint8_t value) {
    if (count == KEPT || seq == 0xFFFF) {
        bump(&lost);
        return;
    }
    struct waiting *w = &queue[(first + count) % KEPT];
    w->at = now_ms();
    w->seq = ++seq;
    w->kind = kind;
    w->value = value;
    count++;
}

uint8_t line_waiting(void) { return count; }
uint8_t line_worn_out(void) { return seq == 0xFFFF && count == 0; }

static uint8_t send(const char *payload) {
    if (!uart_room(LINE))
        return 0;
    uint16_t crc = 0;
    uart_put('$');
    for (const char *c = payload; *c; c++) {
        crc = _crc_xmodem_update(crc, (uint8_t)*c);
        uart_put((uint8_t)*c);
    }
    char tail[7];
    snprintf_P(tail, sizeof tail, PSTR("*%04X\n"), crc);
    for (const char *c = tail; *c; c++)
        uart_put((uint8_t)*c);
    return 1;
}

static void send_event(uint32_t now) {
    const struct waiting *w = &queue[first];
    uint32_t age = now - w->at;
    uint16_t short_age = age > 0xFFFF ? 0xFFFF : (uint16_t)age;
    char payload[LINE - 6], name[9];
    strcpy_P(name, names[w->value < BUTTONS ? w->value : 0]);
    if (w->kind == THROW)
        snprintf_P(payload, sizeof payload, PSTR("THROW %u %u %u %s"), boot, w->seq, short_age, BEAMS == 1 ? "any" : name);
    else if (w->kind == BUTTON)
        snprintf_P(payload, sizeof payload, PSTR("BUTTON %u %u %u %s"), boot, w->seq, short_age, name);
    else
        snprintf_P(payload, sizeof payload, PSTR("STATUS %u %u %u %lu %u %u %u"), boot, w->seq, short_age, w->at / 1000, repeats, errors, lost);
    if (send(payload)) {
        if (sent)
            bump(&repeats);
        sent = 1;
        sent_at = line_at = now;
    }
}

void line_send(void) {
    uint32_t now = now_ms();
    char payload[LINE - 6];
    if (say_hello) {
        snprintf_P(payload, sizeof payload, PSTR("HELLO " BOX_ID " 1 %u rest=" BOX_REST " reads=no"), boot);
        if (send(payload))
            say_hello = 0;
    }
    if (now - line_at < LINE_MS)
        return;
    if (what[0]) {
        snprintf_P(payload, sizeof payload, PSTR("WHAT %s"), what);
        if (send(payload)) {
            what[0] = 0;
            line_at = now;
        }
    } else if (count && (!sent || now - sent_at >= REPEAT_MS)) {
        send_event(now);
    }
}

/* Checks the collected line and cuts its CRC off; 0 when it is not sound. */
static char *checked(void) {
    if (in_length && in[in_length - 1] == '\r')
        in_length--;
    if (in_length < 6 || in[in_length - 5] != '*')
        return 0;
    in[in_length] = 0;
    char *end;
    unsigned long given = strtoul(in + in_length - 4, &end, 16);
    if (*end)
        return 0;
    in_length -= 5;
    uint16_t crc = 0;
    for (uint8_t i = 0; i < in_length; i++)
        crc = _crc_xmodem_update(crc, (uint8_t)in[i]);
    in[in_length] = 0;
    return crc == given ? in : 0;
}

char *line_receive(void) {
    int16_t byte;
    while ((byte = uart_get()) >= 0) {
        if (byte == '$') {
            if (in_line)
                bump(&errors);
            in_line = 1;
            in_length = 0;
        } else if (!in_line) {
            continue;
        } else if (byte == '\n') {
            in_line = 0;
            char *payload = checked();
            if (payload)
                return payload;
            bump(&errors);
        } else if (in_length == LINE - 1) {
            in_line = 0;
            bump(&errors);
        } else {
            in[in_length++] = (char)byte;
        }
    }
    return 0;
}

/* Whether those are two numbers. */
static uint8_t acknowledged(const char *numbers) {
    char *middle, *end;
    unsigned long b = strtoul(numbers, &middle, 10);
    unsigned long s = strtoul(middle, &end, 10);
    if (middle == numbers || end == middle || *end)
        return 0;
    if (count && b == boot && s == queue[first].seq) {
        first = (first + 1) % KEPT;
        count--;
        sent = 0;
    }
    return 1;
}

void line_answer(char *payload, uint8_t (*show)(const char *)) {
    uint8_t known = 0;
    if (!strcmp_P(payload, PSTR("QUERY")))
        known = say_hello = 1;
    else if (!strncmp_P(payload, PSTR("ACK "), 4))
        known = acknowledged(payload + 4);
    else if (!strncmp_P(payload, PSTR("SHOW "), 5))
        known = show(payload + 5);
    else if (!strncmp_P(payload, PSTR("WHAT"), 4))
        known = 1;
    if (!known) {
        uint8_t i = 0;
        for (; i < sizeof what - 1 && payload[i] && payload[i] != ' '; i++)
            what[i] = payload[i];
        what[i] = 0;
    }
}
